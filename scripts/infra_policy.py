"""Rules that every plan of infra/ keeps, whatever the variables: judged on `terraform show -json PLAN`.

`violations(plan, ...)` returns sentences, none when all is well. Standard library only.
"""

import json
import re

WORLD = {"0.0.0.0/0", "::/0"}
PORTS = {22, 8000}
IDENTITY_SOURCE = ["$request.header.Authorization"]

# What these hold, or what a refresh reads into them, would be in the state as plain text.
TYPES_THAT_KEEP_SECRETS = {
    "aws_iam_access_key",
    "aws_iam_user_login_profile",
    "aws_lambda_function",
    "aws_secretsmanager_secret_version",
    "aws_ssm_parameter",
    "random_password",
    "tls_private_key",
}
NAME_OF_A_SECRET = re.compile(r"secret|password|token|private_?key|client-id", re.I)
REFERENCE = re.compile(r"^(\{\{resolve:secretsmanager:[^{}]+\}\}|arn:aws[a-z-]*:secretsmanager:.*|\$request\..*)$")
# Attributes whose name sounds like a secret and which hold none.
HARMLESS = {"encrypted_private_key", "secret_string_wo_version", "event_source_token"}
PLACE_OR_ACCOUNT = re.compile(r"\b\d{1,3}(\.\d{1,3}){3}\b|(?<!\d)\d{12}(?!\d)")


def resources(plan):
    """Every managed resource as it will be, those of child modules included."""

    def walk(module):
        yield from module.get("resources", [])
        for child in module.get("child_modules", []):
            yield from walk(child)

    root = plan.get("planned_values", {}).get("root_module", {})
    # A resource of which nothing is known before it is made has no values at all.
    return [{"values": {}} | resource for resource in walk(root) if resource.get("mode") == "managed"]


def of_type(plan, name):
    return [resource for resource in resources(plan) if resource["type"] == name]


def violations(plan, open_routes, open_to_the_world):
    """open_routes: route keys without authorizer, all and no others. open_to_the_world: ports that may be."""
    found = []
    found += routes(plan, open_routes)
    found += authorizers(plan)
    found += ports(plan, open_to_the_world)
    found += secrets(plan)
    found += rights(plan)
    found += bucket(plan)
    found += logs(plan)
    found += outputs(plan)
    return found


def routes(plan, open_routes):
    found = []
    planned = {route["values"]["route_key"]: route["values"] for route in of_type(plan, "aws_apigatewayv2_route")}
    without = {key for key, values in planned.items() if values.get("authorization_type") != "CUSTOM"}
    for key in sorted(without - open_routes):
        found.append(f"route {key} has no authorizer and is not on the list of open routes")
    for key in sorted(open_routes - without):
        found.append(f"route {key} is on the list of open routes and is not open")
    for key in ("$default", "ANY /mcp"):
        if planned.get(key, {}).get("authorization_type") != "CUSTOM":
            found.append(f"route {key} must ask the authorizer")
    return found


def authorizers(plan):
    found = []
    planned = of_type(plan, "aws_apigatewayv2_authorizer")
    if len(planned) != 1:
        found.append(f"one authorizer is expected, {len(planned)} are planned")
    for authorizer in planned:
        values = authorizer["values"]
        expected = {
            "authorizer_type": "REQUEST",
            "authorizer_result_ttl_in_seconds": 0,
            "authorizer_payload_format_version": "2.0",
            "enable_simple_responses": True,
            "identity_sources": IDENTITY_SOURCE,
        }
        for name, value in expected.items():
            if values.get(name) != value:
                found.append(f"{authorizer['address']}: {name} must be {value!r}, not {values.get(name)!r}")
    return found


def ports(plan, open_to_the_world):
    found = []
    planned = of_type(plan, "aws_lightsail_instance_public_ports")
    if len(planned) != 1:
        found.append(f"one firewall is expected, {len(planned)} are planned")
    for firewall in planned:
        entries = firewall["values"].get("port_info") or []
        seen = {entry["from_port"] for entry in entries}
        if seen != PORTS:
            found.append(f"the firewall must name the ports {sorted(PORTS)} and no others, not {sorted(seen)}")
        for entry in entries:
            if entry["from_port"] != entry["to_port"] or entry["protocol"] != "tcp":
                found.append(f"port {entry['from_port']}: one TCP port an entry, not a range or everything")
            if entry.get("cidr_list_aliases"):
                found.append(f"port {entry['from_port']}: an alias opens it to others than the ranges given")
            if not entry.get("cidrs"):
                found.append(f"port {entry['from_port']}: without ranges Lightsail opens it to everybody")
            ranges = set(entry.get("cidrs") or []) | set(entry.get("ipv6_cidrs") or [])
            if ranges & WORLD and entry["from_port"] not in open_to_the_world:
                found.append(f"port {entry['from_port']} must not be open to the world")
    return found


def secrets(plan):
    found = []
    for resource in resources(plan):
        if resource["type"] in TYPES_THAT_KEEP_SECRETS:
            found.append(f"{resource['address']}: {resource['type']} keeps, or reads back, a secret in the state")
        if resource["type"] == "aws_lightsail_key_pair" and not resource["values"].get("public_key"):
            found.append(f"{resource['address']}: without public_key the private key is made, and is in the state")
        if resource["type"] == "aws_apigatewayv2_integration":
            for name, value in (resource["values"].get("request_parameters") or {}).items():
                if not value.startswith("$request."):
                    found.append(f"{resource['address']}: {name} has a fixed value; a secret there would be in the state")
        found += [f"{resource['address']}: {where} holds a plain value" for where in plain(resource["values"], "")]
    return found


def plain(value, where):
    """Places whose name says secret and whose value is neither a reference nor empty."""
    if isinstance(value, str) and value[:1] in "{[":
        try:
            value = json.loads(value)
        except ValueError:
            pass
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{where}.{name}".lstrip(".")
            harmful = NAME_OF_A_SECRET.search(name) and name not in HARMLESS
            if harmful and isinstance(inner, str) and inner and not REFERENCE.match(inner):
                yield place
            else:
                yield from plain(inner, place)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from plain(inner, f"{where}[{number}]")


def rights(plan):
    found = []
    for resource in resources(plan):
        if resource["type"] not in {"aws_iam_role_policy", "aws_iam_user_policy", "aws_iam_policy"}:
            continue
        text = resource["values"].get("policy")
        if not text:
            # Some name in it is known only when it is made; the configuration is judged by a later plan.
            continue
        for statement in json.loads(text)["Statement"]:
            named = as_list(statement.get("Action")) + as_list(statement.get("Resource"))
            if statement["Effect"] == "Allow" and any(name == "*" or name.endswith(":*") and name.count(":") == 1 for name in named):
                found.append(f"{resource['address']}: allows everything of something")
    return found


def as_list(value):
    return value if isinstance(value, list) else [value] if value is not None else []


def bucket(plan):
    found = []
    blocks = of_type(plan, "aws_s3_bucket_public_access_block")
    names = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")
    buckets = len(of_type(plan, "aws_s3_bucket"))
    if len([block for block in blocks if all(block["values"].get(name) for name in names)]) != buckets:
        found.append("every bucket must block public access in all four ways")
    kept = [version["values"]["versioning_configuration"][0]["status"] for version in of_type(plan, "aws_s3_bucket_versioning")]
    if kept != ["Enabled"] * buckets:
        found.append("every bucket must keep versions")
    for name in ("aws_s3_bucket_server_side_encryption_configuration", "aws_s3_bucket_lifecycle_configuration"):
        if len(of_type(plan, name)) != buckets:
            found.append(f"every bucket needs {name}")
    return found


def logs(plan):
    return [
        f"{group['address']}: logs without an end"
        for group in of_type(plan, "aws_cloudwatch_log_group")
        if not group["values"].get("retention_in_days")
    ]


def outputs(plan):
    found = []
    for name, output in plan.get("planned_values", {}).get("outputs", {}).items():
        if not output.get("sensitive") and PLACE_OR_ACCOUNT.search(json.dumps(output.get("value"))):
            found.append(f"output {name} prints an address or an account number and is not sensitive")
    return found
