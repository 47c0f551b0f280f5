# Plans only: nothing is made, so nothing has to be destroyed again (which `prevent_destroy` would refuse).
mock_provider "aws" {
  source          = "./tests/mocks"
  override_during = plan
}

variables {
  region         = "eu-central-1"
  ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDUK0Ct4VqYv example"
}

run "defaults" {
  command = plan

  assert {
    condition     = aws_apigatewayv2_authorizer.token.authorizer_result_ttl_in_seconds == 0 && aws_apigatewayv2_authorizer.token.enable_simple_responses && aws_apigatewayv2_authorizer.token.authorizer_payload_format_version == "2.0"
    error_message = "The authorizer answers simply, in format 2.0, and nothing is remembered."
  }
  assert {
    condition     = tolist(aws_apigatewayv2_authorizer.token.identity_sources) == tolist(["$request.header.Authorization"])
    error_message = "The Authorization header is the identity source, so that a request without it is a 401."
  }
  assert {
    condition     = aws_apigatewayv2_authorizer.token.authorizer_uri == "arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:123456789012:function:vault-cortex-authorizer/invocations"
    error_message = "The function is asked by its unqualified name."
  }
  assert {
    condition     = aws_apigatewayv2_stage.default.name == "$default" && one(aws_apigatewayv2_stage.default.default_route_settings).throttling_rate_limit == 20 && one(aws_apigatewayv2_stage.default.default_route_settings).throttling_burst_limit == 40
    error_message = "The stage lets 20 requests a second through, 40 at once."
  }
  assert {
    condition     = aws_apigatewayv2_integration.host.integration_uri == "http://192.0.2.10:8000" && aws_apigatewayv2_integration.host.timeout_milliseconds == 30000 && aws_apigatewayv2_integration.host.request_parameters == tomap({ "overwrite:path" = "$request.path" })
    error_message = "Without a tunnel the gateway forwards every path to port 8000 of the static address."
  }
  assert {
    condition     = jsonencode(local.ports) == jsonencode({ mcp = { port = 8000, cidrs = ["0.0.0.0/0"] }, ssh = { port = 22, cidrs = ["0.0.0.0/0"] } })
    error_message = "Without a tunnel 8000 and 22 are open."
  }
  assert {
    condition     = one(aws_lightsail_instance.host.add_on).type == "AutoSnapshot" && one(aws_lightsail_instance.host.add_on).snapshot_time == "03:00" && one(aws_lightsail_instance.host.add_on).status == "Enabled"
    error_message = "The host is copied every day at 03:00 UTC."
  }
  assert {
    condition     = aws_lightsail_instance.host.availability_zone == "eu-central-1a" && aws_lightsail_instance.host.key_pair_name == "vault-cortex-ssh" && aws_lightsail_instance.host.ip_address_type == "ipv4"
    error_message = "The host stands in the first zone, with the key pair and one family of addresses."
  }
  assert {
    condition     = !aws_apigatewayv2_api.gateway.disable_execute_api_endpoint && length(aws_apigatewayv2_domain_name.own) == 0 && length(aws_apigatewayv2_api_mapping.own) == 0 && length(aws_cloudformation_stack.origin_access) == 0 && length(aws_sns_topic_subscription.alarms) == 0
    error_message = "What is optional is not made."
  }
  assert {
    condition     = output.public_url == "https://abc123.execute-api.eu-central-1.amazonaws.com" && output.trust_forwarded_hops == 1 && output.allowed_hosts == "192.0.2.10:8000"
    error_message = "The server is told its public address, one hop, and the name that the gateway calls it by."
  }
  assert {
    condition     = one(aws_s3_bucket_versioning.snapshots.versioning_configuration).status == "Enabled" && aws_s3_bucket_public_access_block.snapshots.block_public_policy
    error_message = "The bucket keeps versions and is never public."
  }
  assert {
    condition     = length(aws_cloudwatch_metric_alarm.edge) == 5 && alltrue([for alarm in aws_cloudwatch_metric_alarm.edge : alarm.treat_missing_data == "notBreaching"])
    error_message = "Five alarms, silent while nothing happens."
  }
}

run "routes" {
  command = plan

  assert {
    condition = toset(keys(aws_apigatewayv2_route.open)) == toset([
      "ANY /", "ANY /.well-known/{proxy+}", "ANY /authorize", "ANY /files/{proxy+}", "ANY /healthz", "ANY /oauth/{proxy+}",
      "ANY /register", "ANY /revoke", "ANY /setup", "ANY /status/{proxy+}", "ANY /token",
    ])
    error_message = "The open routes are these and no others."
  }
  assert {
    condition     = alltrue([for route in aws_apigatewayv2_route.open : route.authorization_type == "NONE" && route.target == "integrations/direct1"])
    error_message = "Open routes go straight to the host."
  }
  assert {
    condition     = toset(keys(aws_apigatewayv2_route.protected)) == toset(["ANY /mcp", "$default"]) && alltrue([for route in aws_apigatewayv2_route.protected : route.authorization_type == "CUSTOM" && route.authorizer_id == "auth01"])
    error_message = "/mcp, and whatever has no route of its own, asks the authorizer."
  }
}

run "restored_host" {
  command = plan

  variables {
    instance_name     = "vault-cortex-restored"
    availability_zone = "eu-central-1b"
    alarm_email       = "owner@example.com"
  }

  assert {
    condition     = aws_lightsail_instance.host.name == "vault-cortex-restored" && aws_lightsail_static_ip_attachment.host.instance_name == "vault-cortex-restored" && aws_lightsail_instance_public_ports.host.instance_name == "vault-cortex-restored"
    error_message = "A restored host is taken over under its own name, with address and ports."
  }
  assert {
    condition     = length(aws_sns_topic_subscription.alarms) == 1
    error_message = "Alarms go to the address."
  }
}
