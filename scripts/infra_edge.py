"""What the gateway stand-in of the tests is configured with: the routes, the authorizer, the way to the host and
the throttle, out of `terraform show -json` of a plan or of a state. Standard library only.
"""

import json

from infra_policy import of_type

AUTHORIZER = (
    "authorizer_type",
    "authorizer_payload_format_version",
    "authorizer_result_ttl_in_seconds",
    "enable_simple_responses",
    "identity_sources",
)
INTEGRATION = ("integration_type", "integration_method", "request_parameters", "timeout_milliseconds")


def extract(shown):
    """The settings, of a plan or of a state alike."""
    plan = shown if "planned_values" in shown else {"planned_values": shown["values"]}

    def only(kind, names):
        (found,) = of_type(plan, kind)
        return {name: found["values"][name] for name in names}

    (stage,) = of_type(plan, "aws_apigatewayv2_stage")
    (throttle,) = stage["values"]["default_route_settings"]
    routes = {route["values"]["route_key"]: route["values"]["authorization_type"] for route in of_type(plan, "aws_apigatewayv2_route")}
    return {
        "routes": dict(sorted(routes.items())),
        "authorizer": only("aws_apigatewayv2_authorizer", AUTHORIZER),
        "integration": only("aws_apigatewayv2_integration", INTEGRATION),
        "throttle": {name: throttle[name] for name in ("throttling_burst_limit", "throttling_rate_limit")},
    }


def as_text(settings):
    return json.dumps(settings, indent=2) + "\n"
