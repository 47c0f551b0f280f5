# The integration that shows a service token to the tunnel host.
#
# An HTTP API takes header values as plain text only, and what Terraform sets, or reads back, is in its state.
# CloudFormation puts a secret's value in on its own: state, plan and template hold the reference alone.

resource "aws_cloudformation_stack" "origin_access" {
  count = local.service_token ? 1 : 0

  name = "${var.name}-origin-access"
  template_body = jsonencode({
    AWSTemplateFormatVersion = "2010-09-09"
    Description              = "Integration of the gateway with a tunnel host that asks for a service token"
    Resources = {
      Integration = {
        Type = "AWS::ApiGatewayV2::Integration"
        Properties = {
          ApiId                = aws_apigatewayv2_api.gateway.id
          Description          = "The tunnel host, with service token, revision ${var.origin_access_service_token_revision}"
          IntegrationType      = "HTTP_PROXY"
          IntegrationMethod    = "ANY"
          IntegrationUri       = local.origin
          PayloadFormatVersion = "1.0"
          TimeoutInMillis      = 30000
          RequestParameters = {
            "overwrite:path"                           = "$request.path"
            "overwrite:header.CF-Access-Client-Id"     = "{{resolve:secretsmanager:${var.origin_access_service_token}:SecretString:client_id}}"
            "overwrite:header.CF-Access-Client-Secret" = "{{resolve:secretsmanager:${var.origin_access_service_token}:SecretString:client_secret}}"
          }
        }
      }
    }
    Outputs = {
      IntegrationId = { Value = { Ref = "Integration" } }
    }
  })

  lifecycle {
    # When it goes, the routes leave it first.
    create_before_destroy = true
  }
}
