# The HTTP API: TLS, throttle, open and protected routes, and the way to the host.

resource "aws_apigatewayv2_api" "gateway" {
  name          = var.name
  description   = "Vault Cortex: the way in"
  protocol_type = "HTTP"

  disable_execute_api_endpoint = var.disable_execute_api_endpoint
}

resource "aws_apigatewayv2_stage" "default" {
  api_id      = aws_apigatewayv2_api.gateway.id
  name        = "$default"
  auto_deploy = true

  default_route_settings {
    throttling_rate_limit  = 20
    throttling_burst_limit = 40
  }

  # The route, not the path: a signed file link is a key. No query, no header.
  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.gateway.arn
    format = jsonencode({
      requestId        = "$context.requestId"
      time             = "$context.requestTime"
      ip               = "$context.identity.sourceIp"
      method           = "$context.httpMethod"
      route            = "$context.routeKey"
      protocol         = "$context.protocol"
      status           = "$context.status"
      responseLength   = "$context.responseLength"
      responseLatency  = "$context.responseLatency"
      integrationError = "$context.integrationErrorMessage"
      authorizerError  = "$context.authorizer.error"
    })
  }
}

# It stays also when a service token is used (origin_access.tf), so that switching never deletes an integration
# that a route still points at.
resource "aws_apigatewayv2_integration" "host" {
  api_id                 = aws_apigatewayv2_api.gateway.id
  description            = local.tunnelled ? "The tunnel host" : "Port ${local.mcp_port} of the instance"
  integration_type       = "HTTP_PROXY"
  integration_method     = "ANY"
  integration_uri        = local.origin
  payload_format_version = "1.0"
  # The most that an HTTP API waits.
  timeout_milliseconds = 30000

  request_parameters = {
    # Routes without a path variable would all arrive at the origin's root.
    "overwrite:path" = "$request.path"
  }
}

locals {
  integration_id = local.service_token ? aws_cloudformation_stack.origin_access[0].outputs["IntegrationId"] : aws_apigatewayv2_integration.host.id
}

resource "aws_apigatewayv2_route" "open" {
  for_each = local.open_routes

  api_id             = aws_apigatewayv2_api.gateway.id
  route_key          = each.value
  authorization_type = "NONE"
  target             = "integrations/${local.integration_id}"
}

resource "aws_apigatewayv2_route" "protected" {
  for_each = local.protected_routes

  api_id             = aws_apigatewayv2_api.gateway.id
  route_key          = each.value
  authorization_type = "CUSTOM"
  authorizer_id      = aws_apigatewayv2_authorizer.token.id
  target             = "integrations/${local.integration_id}"
}

resource "aws_apigatewayv2_domain_name" "own" {
  count = local.own_domain ? 1 : 0

  domain_name = var.custom_domain

  domain_name_configuration {
    certificate_arn = var.custom_domain_cert_arn
    endpoint_type   = "REGIONAL"
    security_policy = "TLS_1_2"
  }
}

resource "aws_apigatewayv2_api_mapping" "own" {
  count = local.own_domain ? 1 : 0

  api_id      = aws_apigatewayv2_api.gateway.id
  domain_name = aws_apigatewayv2_domain_name.own[0].id
  stage       = aws_apigatewayv2_stage.default.id
}
