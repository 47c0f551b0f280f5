#!/usr/bin/env python3
"""Each rule of the policy catches the plan that breaks it, and a right plan passes."""

import copy
import importlib
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
policy = importlib.import_module("infra_policy")

OPEN = {"ANY /healthz"}


def resource(kind, **values):
    return {"address": f"{kind}.x", "mode": "managed", "type": kind, "values": values}


def right_plan():
    everything = [
        resource("aws_apigatewayv2_route", route_key="ANY /healthz", authorization_type="NONE"),
        resource("aws_apigatewayv2_route", route_key="ANY /mcp", authorization_type="CUSTOM"),
        resource("aws_apigatewayv2_route", route_key="$default", authorization_type="CUSTOM"),
        resource(
            "aws_apigatewayv2_authorizer",
            authorizer_type="REQUEST",
            authorizer_result_ttl_in_seconds=0,
            authorizer_payload_format_version="2.0",
            enable_simple_responses=True,
            identity_sources=["$request.header.Authorization"],
        ),
        resource(
            "aws_lightsail_instance_public_ports",
            port_info=[
                {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidrs": ["0.0.0.0/0"]},
                {"from_port": 8000, "to_port": 8000, "protocol": "tcp", "cidrs": ["127.0.0.1/32"]},
            ],
        ),
        resource("aws_lightsail_key_pair", public_key="ssh-ed25519 AAAA"),
        resource("aws_apigatewayv2_integration", request_parameters={"overwrite:path": "$request.path"}),
        resource("aws_cloudformation_stack", template_body=json.dumps({"a": [{"Client-Secret": "{{resolve:secretsmanager:arn:x}}"}]})),
        resource("aws_s3_bucket", bucket="b"),
        resource("aws_s3_bucket_versioning", versioning_configuration=[{"status": "Enabled"}]),
        resource("aws_s3_bucket_server_side_encryption_configuration"),
        resource("aws_s3_bucket_lifecycle_configuration"),
        resource(
            "aws_s3_bucket_public_access_block",
            block_public_acls=True, block_public_policy=True, ignore_public_acls=True, restrict_public_buckets=True,
        ),
        resource("aws_iam_role_policy", policy=json.dumps({"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:x/*"}]})),
        resource("aws_cloudwatch_log_group", retention_in_days=30),
    ]
    outputs = {"public_url": {"sensitive": False, "value": "https://vault.example.com"}, "static_ip": {"sensitive": True, "value": "192.0.2.1"}}
    return {"planned_values": {"root_module": {"resources": everything}, "outputs": outputs}}


class Policy(unittest.TestCase):
    def judge(self, change, world=frozenset({22})):
        plan = copy.deepcopy(right_plan())
        everything = plan["planned_values"]["root_module"]["resources"]
        change(plan, everything, {entry["type"]: entry["values"] for entry in reversed(everything)})
        return policy.violations(plan, OPEN, world)

    def caught(self, change, words):
        found = self.judge(change)
        self.assertTrue(any(words in sentence for sentence in found), f"{words!r} not in {found}")

    def test_a_right_plan_passes(self):
        self.assertEqual(self.judge(lambda *_: None), [])

    def test_an_open_route_that_is_not_listed(self):
        self.caught(lambda p, all, v: all.append(resource("aws_apigatewayv2_route", route_key="ANY /secret", authorization_type="NONE")), "ANY /secret has no authorizer")

    def test_a_listed_route_that_is_closed(self):
        self.caught(lambda p, all, v: v["aws_apigatewayv2_route"].update(authorization_type="CUSTOM"), "is not open")

    def test_a_default_route_that_is_missing(self):
        self.caught(lambda p, all, v: all.pop(2), "$default must ask")

    def test_answers_that_are_remembered(self):
        self.caught(lambda p, all, v: v["aws_apigatewayv2_authorizer"].update(authorizer_result_ttl_in_seconds=300), "ttl_in_seconds must be 0")

    def test_an_authorizer_that_is_asked_without_a_token(self):
        self.caught(lambda p, all, v: v["aws_apigatewayv2_authorizer"].update(identity_sources=[]), "identity_sources")

    def test_a_port_open_to_the_world(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"][1].update(cidrs=["0.0.0.0/0"]), "8000 must not be open")

    def test_a_port_open_to_the_world_by_the_other_family(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"][1].update(ipv6_cidrs=["::/0"]), "8000 must not be open")

    def test_a_third_port(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"].append({"from_port": 80, "to_port": 80, "protocol": "tcp", "cidrs": ["127.0.0.1/32"]}), "and no others")

    def test_an_entry_that_is_missing(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"].pop(), "must name the ports")

    def test_a_range_of_ports(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"][0].update(to_port=8000), "one TCP port")

    def test_a_port_without_ranges(self):
        self.caught(lambda p, all, v: v["aws_lightsail_instance_public_ports"]["port_info"][0].update(cidrs=[]), "opens it to everybody")

    def test_a_function_whose_environment_would_be_in_the_state(self):
        self.caught(lambda p, all, v: all.append(resource("aws_lambda_function", environment=[])), "in the state")

    def test_a_key_made_by_the_provider(self):
        self.caught(lambda p, all, v: v["aws_lightsail_key_pair"].update(public_key=None), "private key is made")

    def test_a_fixed_header(self):
        self.caught(lambda p, all, v: v["aws_apigatewayv2_integration"]["request_parameters"].update({"overwrite:header.X-Any": "abc"}), "fixed value")

    def test_a_secret_in_a_template(self):
        self.caught(lambda p, all, v: v["aws_cloudformation_stack"].update(template_body=json.dumps({"a": [{"Client-Secret": "abc"}]})), "plain value")

    def test_rights_to_everything(self):
        self.caught(lambda p, all, v: v["aws_iam_role_policy"].update(policy=json.dumps({"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "arn:x"}]})), "allows everything")

    def test_a_bucket_that_may_be_public(self):
        self.caught(lambda p, all, v: v["aws_s3_bucket_public_access_block"].update(block_public_policy=False), "public access")

    def test_a_bucket_without_versions(self):
        self.caught(lambda p, all, v: v["aws_s3_bucket_versioning"].update(versioning_configuration=[{"status": "Suspended"}]), "keep versions")

    def test_logs_without_an_end(self):
        self.caught(lambda p, all, v: v["aws_cloudwatch_log_group"].update(retention_in_days=0), "without an end")

    def test_an_output_with_an_address(self):
        self.caught(lambda p, all, v: p["planned_values"]["outputs"]["static_ip"].update(sensitive=False), "static_ip prints")

    def test_an_output_with_an_account(self):
        self.caught(lambda p, all, v: p["planned_values"]["outputs"].update(role={"value": "arn:aws:iam::123456789012:role/x"}), "role prints")


if __name__ == "__main__":
    unittest.main()
