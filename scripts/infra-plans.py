#!/usr/bin/env python3
"""Plans infra/ for real (real provider, no account, no network) and judges what comes out.

Two kinds: plans of a new deployment, which must keep the policy; and plans against a state that holds a host,
where those that would lose it must be refused, and the ways around must do what README.md says.
"""

import argparse
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import infra_edge  # noqa: E402
import infra_policy  # noqa: E402

SECRET = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:origin-AbCdEf"
CERTIFICATE = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
BASE = {"region": "eu-central-1", "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDUK0Ct4VqYv example"}
TUNNEL = {"origin_url": "https://origin.example.com"}
DOMAIN = {"custom_domain": "vault.example.com", "custom_domain_cert_arn": CERTIFICATE}

# What is planned, and which ports may be open to the world then.
NEW = {
    "as it comes": ({}, {22, 8000}),
    "with a tunnel": (TUNNEL, {22}),
    "with a tunnel and everything closed": (TUNNEL | {"mcp_port_cidrs": "none", "ssh_cidrs": "none"}, set()),
    "with a service token": (
        TUNNEL | {"origin_access_service_token_enabled": True, "origin_access_service_token": SECRET},
        {22},
    ),
    "with a domain": (DOMAIN, {22, 8000}),
    "with a domain behind a CDN": (DOMAIN | {"disable_execute_api_endpoint": True, "trust_forwarded_hops": 2}, {22, 8000}),
}

TAGS = {"application": "vault-cortex"}
HOST = {
    "aws_lightsail_key_pair": {"id": "vault-cortex-ssh", "name": "vault-cortex-ssh", "public_key": BASE["ssh_public_key"], "tags_all": TAGS},
    "aws_lightsail_instance": {
        "id": "vault-cortex", "name": "vault-cortex", "availability_zone": "eu-central-1a", "blueprint_id": "debian_12",
        "bundle_id": "small_3_0", "key_pair_name": "vault-cortex-ssh", "ip_address_type": "ipv4", "created_at": "2026-01-01T00:00:00Z",
        "arn": "arn:aws:lightsail:eu-central-1:123456789012:Instance/x", "tags_all": TAGS, "ipv6_addresses": [],
        "add_on": [{"type": "AutoSnapshot", "snapshot_time": "03:00", "status": "Enabled"}],
    },
    "aws_lightsail_static_ip": {"id": "vault-cortex-ip", "name": "vault-cortex-ip", "ip_address": "192.0.2.10"},
    "aws_lightsail_static_ip_attachment": {
        "id": "vault-cortex-ip", "static_ip_name": "vault-cortex-ip", "instance_name": "vault-cortex", "ip_address": "192.0.2.10",
    },
    "aws_lightsail_instance_public_ports": {
        "id": "vault-cortex-1", "instance_name": "vault-cortex",
        "port_info": [
            {"protocol": "tcp", "from_port": port, "to_port": port, "cidrs": ["0.0.0.0/0"], "ipv6_cidrs": [], "cidr_list_aliases": []}
            for port in (22, 8000)
        ],
    },
}
BUCKET = {"aws_s3_bucket": {"id": "vault-cortex-snaps-1", "bucket": "vault-cortex-snaps-1", "bucket_prefix": "vault-cortex-snaps-", "arn": "arn:aws:s3:::vault-cortex-snaps-1", "tags_all": TAGS}}
ROLE = {
    "aws_iam_role.authorizer": {
        "id": "vault-cortex-authorizer-function", "name": "vault-cortex-authorizer-function",
        "arn": "arn:aws:iam::123456789012:role/vault-cortex-authorizer-function", "path": "/", "tags_all": TAGS,
    }
}


class Terraform:
    def __init__(self, program, directory):
        self.program, self.directory = program, pathlib.Path(directory)

    def plan(self, variables, state=None, destroy=False):
        """(worked, what was printed, the plan as JSON)"""
        with tempfile.TemporaryDirectory() as scratch:
            plan = f"{scratch}/plan"
            command = [self.program, "plan", "-no-color", "-input=false", "-refresh=false", "-lock=false", f"-out={plan}"]
            command += ["-destroy"] if destroy else []
            present = self.directory / "terraform.tfstate"
            present.unlink(missing_ok=True)
            if state is not None:
                present.write_text(json.dumps(state))
            command += [f"-var={name}={json.dumps(value) if not isinstance(value, str) else value}" for name, value in variables.items()]
            done = self.run(command)
            shown = self.run([self.program, "show", "-json", plan]) if done.returncode == 0 else None
            return done.returncode == 0, done.stdout + done.stderr, json.loads(shown.stdout) if shown else None

    def run(self, command):
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)


def state_of(resources):
    def entry(key, attributes):
        kind, _, name = key.partition(".")
        name = name or {"aws_s3_bucket": "snapshots"}.get(kind, "host")
        return {
            "mode": "managed", "type": kind, "name": name,
            "provider": 'provider["registry.terraform.io/hashicorp/aws"]',
            "instances": [{"schema_version": 0, "attributes": attributes}],
        }

    return {
        "version": 4, "terraform_version": "1.11.0", "serial": 1, "lineage": "3f0f7e0e-0000-4000-8000-000000000000", "outputs": {},
        "resources": [entry(key, attributes) for key, attributes in copy.deepcopy(resources).items()],
    }


def open_routes(rust):
    """The authorizer's own list of open paths, as route keys: the gateway's must be the same."""
    lists = {name: re.findall(r'"([^"]*)"', body) for name, body in re.findall(r"const (EXACT|BELOW)[^=]*=\s*\[([^\]]*)\]", rust)}
    below = {path.rstrip("/") for path in lists["BELOW"]}
    exact = {path for path in lists["EXACT"] if not any(path.startswith(f"{folder}/") for folder in below)}
    return {f"ANY {path}" for path in exact} | {f"ANY {path}/{{proxy+}}" for path in below}


def actions(plan):
    return {change["address"]: change["change"]["actions"] for change in plan["resource_changes"]}


class Report:
    def __init__(self):
        self.failures = 0

    def say(self, what, faults):
        print(f"  {what}... {'fail' if faults else 'pass'}")
        for fault in faults:
            # Of a whole plan only its end, where the errors are.
            print("    " + "\n    ".join(fault.strip().split("\n")[-30:]))
        self.failures += bool(faults)


def judge_edge(report, plan, path):
    """What the tests' stand-in for the gateway reads must be what is planned."""
    planned = infra_edge.as_text(infra_edge.extract(plan))
    if os.environ.get("UPDATE_EDGE") == "1":
        path.write_text(planned)
    differs = not path.exists() or path.read_text() != planned
    report.say("the tests' gateway has these routes and this authorizer", [f"{path.name} is not what is planned: UPDATE_EDGE=1 make infra-test"] if differs else [])


def judge_new(terraform, report, routes, edge):
    for what, (variables, world) in NEW.items():
        worked, said, plan = terraform.plan(BASE | variables)
        if worked and not variables:
            judge_edge(report, plan, edge)
        report.say(f"a new deployment {what} keeps the policy", infra_policy.violations(plan, routes, world) if worked else [said])


def refused(outcome, *addresses):
    worked, said, _ = outcome
    if worked:
        return ["the plan was not refused"]
    faults = [] if "Instance cannot be destroyed" in said else [said]
    return faults + [f"the refusal does not name {address}" for address in addresses if address not in said.replace("\n", " ")]


def judge_host(terraform, report):
    host = state_of(HOST | BUCKET | ROLE)
    instance = "aws_lightsail_instance.host"

    worked, said, plan = terraform.plan(BASE, host)
    faults = [said] if not worked else [
        f"{address}: {actions(plan).get(address)}" for address in [instance, "aws_lightsail_static_ip.host", "aws_lightsail_static_ip_attachment.host",
        "aws_lightsail_instance_public_ports.host", "aws_lightsail_key_pair.host"] if actions(plan).get(address) != ["no-op"]
    ]
    report.say("a host as it was made is left alone", faults)
    report.say("what is printed names no address and no account", infra_policy.outputs(plan) if worked else [said])

    report.say("another bundle is refused", refused(terraform.plan(BASE | {"bundle_id": "medium_3_0"}, host), instance))
    report.say("another zone is refused", refused(terraform.plan(BASE | {"availability_zone": "eu-central-1b"}, host), instance))
    report.say("another instance name is refused", refused(terraform.plan(BASE | {"instance_name": "other"}, host), instance))
    report.say("terraform destroy is refused", refused(terraform.plan(BASE, host, destroy=True), instance, "aws_lightsail_static_ip.host", "aws_s3_bucket.snapshots"))

    worked, said, plan = terraform.plan(BASE | {"blueprint_id": "debian_13", "user_data": "echo"}, host)
    report.say("another image or first-boot script leaves the host alone", [said] if not worked else [] if actions(plan)[instance] == ["no-op"] else [str(actions(plan)[instance])])

    worked, said, plan = terraform.plan(BASE | {"ssh_public_key": BASE["ssh_public_key"].replace("AAAAI", "BBBBI")}, host)
    report.say("another SSH key leaves the host alone", [said] if not worked else [] if actions(plan)[instance] == ["no-op"] else [str(actions(plan)[instance])])

    override = terraform.directory / "unprotect_override.tf"
    shutil.copy(terraform.directory / "unprotect.tf.example", override)
    worked, said, plan = terraform.plan(BASE | {"bundle_id": "medium_3_0"}, host)
    if worked:
        done = actions(plan)
        replaced = {address for address, action in done.items() if "delete" in action}
        expected = {instance, "aws_lightsail_static_ip_attachment.host", "aws_lightsail_instance_public_ports.host"}
        faults = [] if replaced == expected else [f"replaced: {sorted(replaced)}"]
        faults += [f"{address}: {done[address]}" for address in ("aws_lightsail_static_ip.host", "aws_s3_bucket.snapshots") if "delete" in done[address]]
    report.say("unprotected, the host is replaced together with its address's attachment and its ports, and nothing else", faults if worked else [said])
    report.say("unprotected, terraform destroy is refused all the same", refused(terraform.plan(BASE, host, destroy=True), "aws_s3_bucket.snapshots"))
    override.unlink()


def judge_retention(terraform, report):
    with tempfile.TemporaryDirectory() as directory:
        for name in ("versions.tf", "variables.tf", "offline_override.tf"):
            shutil.copy(terraform.directory / name, directory)
        shutil.copy(terraform.directory / "retain.tf.example", pathlib.Path(directory) / "retain.tf")
        data = os.environ.get("TF_DATA_DIR")
        os.environ["TF_DATA_DIR"] = f"{directory}/data"
        alone = Terraform(terraform.program, directory)
        begun = alone.run([alone.program, "init", "-input=false", "-no-color"])
        worked, said, plan = alone.plan(BASE, state_of(HOST)) if begun.returncode == 0 else (False, begun.stdout + begun.stderr, None)
        faults = [f"{address}: {action}" for address, action in actions(plan).items() if action != ["forget"]] if worked else [said]
        faults += [] if not worked or len(actions(plan)) == len(HOST) else [f"only {len(actions(plan))} of {len(HOST)}"]
        report.say("retain.tf.example forgets the host and destroys nothing", faults)
        if data is not None:
            os.environ["TF_DATA_DIR"] = data


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--terraform", default="terraform")
    parser.add_argument("--directory", required=True, help="an initialised copy of infra/")
    parser.add_argument("--open-paths", required=True, help="the authorizer's source with its list of open paths")
    parser.add_argument("--edge", required=True, help="the settings of the tests' gateway (UPDATE_EDGE=1 writes them)")
    options = parser.parse_args()

    terraform, report = Terraform(options.terraform, options.directory), Report()
    judge_new(terraform, report, open_routes(pathlib.Path(options.open_paths).read_text()), pathlib.Path(options.edge))
    judge_host(terraform, report)
    judge_retention(terraform, report)
    if report.failures:
        sys.exit(f"infra-plans: {report.failures} failed")


if __name__ == "__main__":
    main()
