# What AWS would answer, known at plan time so that a plan can be looked at.
mock_resource "aws_apigatewayv2_api" {
  defaults = {
    id           = "abc123"
    api_endpoint = "https://abc123.execute-api.eu-central-1.amazonaws.com"
  }
  override_during = plan
}

mock_resource "aws_iam_role" {
  defaults = {
    arn = "arn:aws:iam::123456789012:role/mock"
  }
  override_during = plan
}

mock_resource "aws_lightsail_static_ip" {
  defaults = {
    ip_address = "192.0.2.10"
  }
  override_during = plan
}

mock_resource "aws_apigatewayv2_integration" {
  defaults = {
    id = "direct1"
  }
  override_during = plan
}

mock_resource "aws_cloudformation_stack" {
  defaults = {
    outputs = { IntegrationId = "token01" }
  }
  override_during = plan
}

mock_resource "aws_apigatewayv2_authorizer" {
  defaults = {
    id = "auth01"
  }
  override_during = plan
}

mock_resource "aws_cloudwatch_log_group" {
  defaults = {
    arn = "arn:aws:logs:eu-central-1:123456789012:log-group:mock"
  }
  override_during = plan
}

mock_resource "aws_s3_bucket" {
  defaults = {
    id     = "mock-snaps-1"
    bucket = "mock-snaps-1"
    arn    = "arn:aws:s3:::mock-snaps-1"
  }
  override_during = plan
}
