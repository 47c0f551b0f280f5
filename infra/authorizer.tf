# What the authorizer function needs. The function itself (code, memory, MCP_AUTH_TOKEN, PUBLIC_URL) belongs to
# `cargo lambda deploy` and is not a resource here, on purpose: every refresh copies a function's environment
# into the state, `ignore_changes` or not, and with it the token. The gateway finds it by its name, unqualified,
# so that each deployment counts at once; until the first one it answers 500: closed.

resource "aws_iam_role" "authorizer" {
  name        = "${local.function_name}-function"
  description = "What the authorizer function may do: write its log"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "authorizer" {
  name = "write-log"
  role = aws_iam_role.authorizer.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
      Resource = "${aws_cloudwatch_log_group.authorizer.arn}:*"
    }]
  })
}

# A role rather than a permission on the function: it can exist before the function does.
resource "aws_iam_role" "gateway" {
  name        = "${local.function_name}-invoke"
  description = "What the gateway may do: ask the authorizer function"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "apigateway.amazonaws.com" }
    }]
  })
}

resource "aws_iam_role_policy" "gateway" {
  name = "invoke-authorizer"
  role = aws_iam_role.gateway.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "lambda:InvokeFunction"
      Resource = local.function_arn
    }]
  })
}

resource "aws_apigatewayv2_authorizer" "token" {
  api_id          = aws_apigatewayv2_api.gateway.id
  name            = local.function_name
  authorizer_type = "REQUEST"
  authorizer_uri  = "arn:${local.partition}:apigateway:${var.region}:lambda:path/2015-03-31/functions/${local.function_arn}/invocations"

  authorizer_credentials_arn        = aws_iam_role.gateway.arn
  authorizer_payload_format_version = "2.0"
  enable_simple_responses           = true
  # A request without it is answered 401 at once: what clients understand as "log in".
  identity_sources = ["$request.header.Authorization"]
  # No answer is remembered: a token that was taken back is refused with the next request.
  authorizer_result_ttl_in_seconds = 0
}
