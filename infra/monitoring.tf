# Logs with an end, and alarms. Lightsail's own metrics do not reach CloudWatch: a host that is gone shows as
# answers 5xx of the gateway.

resource "aws_cloudwatch_log_group" "gateway" {
  name              = "/aws/apigateway/${var.name}"
  retention_in_days = var.log_retention_days
}

resource "aws_cloudwatch_log_group" "authorizer" {
  name              = "/aws/lambda/${local.function_name}"
  retention_in_days = var.log_retention_days
}

resource "aws_sns_topic" "alarms" {
  name = "${var.name}-alarms"
}

resource "aws_sns_topic_subscription" "alarms" {
  count = var.alarm_email != "" ? 1 : 0

  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = var.alarm_email
}

locals {
  alarms = {
    gateway-5xx = {
      description = "The gateway answers 5xx: the host, the tunnel or the authorizer does not"
      namespace   = "AWS/ApiGateway", metric = "5xx", statistic = "Sum", unit = "gateway", threshold = 5
    }
    # The throttle lets 6000 requests through in five minutes: this many refusals are somebody guessing.
    gateway-4xx = {
      description = "Many refusals at the gateway: somebody guesses, or a client has lost its log-in"
      namespace   = "AWS/ApiGateway", metric = "4xx", statistic = "Sum", unit = "gateway", threshold = 600
    }
    gateway-slow = {
      description = "The mean answer takes more than ten seconds (milliseconds); at thirty the gateway gives up"
      namespace   = "AWS/ApiGateway", metric = "Latency", statistic = "Average", unit = "gateway", threshold = 10000
    }
    authorizer-errors = {
      description = "The authorizer fails: is it deployed, with MCP_AUTH_TOKEN and PUBLIC_URL?"
      namespace   = "AWS/Lambda", metric = "Errors", statistic = "Sum", unit = "function", threshold = 1
    }
    authorizer-throttled = {
      description = "The account's limit of concurrent functions refuses the authorizer"
      namespace   = "AWS/Lambda", metric = "Throttles", statistic = "Sum", unit = "function", threshold = 1
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "edge" {
  for_each = local.alarms

  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.description
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  statistic           = each.value.statistic
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = each.value.threshold
  period              = 300
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"

  dimensions = each.value.unit == "gateway" ? { ApiId = aws_apigatewayv2_api.gateway.id } : { FunctionName = local.function_name }

  alarm_actions = [aws_sns_topic.alarms.arn]
  ok_actions    = [aws_sns_topic.alarms.arn]
}
