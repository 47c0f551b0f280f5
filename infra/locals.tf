locals {
  instance_name     = var.instance_name != "" ? var.instance_name : var.name
  availability_zone = var.availability_zone != "" ? var.availability_zone : "${var.region}a"
  function_name     = "${var.name}-authorizer"
  mcp_port          = 8000

  tunnelled     = var.origin_url != ""
  service_token = var.origin_access_service_token_enabled
  own_domain    = var.custom_domain != ""

  origin     = local.tunnelled ? var.origin_url : "http://${aws_lightsail_static_ip.host.ip_address}:${local.mcp_port}"
  public_url = local.own_domain ? "https://${var.custom_domain}" : aws_apigatewayv2_api.gateway.api_endpoint

  # Nothing that comes over a network carries this source address.
  closed = ["127.0.0.1/32"]
  world  = ["0.0.0.0/0"]

  mcp_port_cidrs = (
    var.mcp_port_cidrs == "none" ? local.closed :
    var.mcp_port_cidrs != "" ? [for range in split(",", var.mcp_port_cidrs) : trimspace(range)] :
    local.tunnelled ? local.closed : local.world
  )
  ssh_cidrs = (
    var.ssh_cidrs == "none" ? local.closed :
    var.ssh_cidrs != "" ? [for range in split(",", var.ssh_cidrs) : trimspace(range)] :
    local.world
  )

  # Both entries are always present: Lightsail takes no empty list, and a new instance opens 22 and 80 on
  # its own, so that a port is closed by an entry that lets nobody in, not by a missing one.
  ports = {
    ssh = { port = 22, cidrs = local.ssh_cidrs }
    mcp = { port = local.mcp_port, cidrs = local.mcp_port_cidrs }
  }

  # The open routes. The host authenticates what a browser opens (/, /status, /files, /setup) by itself; the
  # others are what a client needs before it has a token. The authorizer holds the same list, and the policy
  # check compares the two.
  open_paths = [
    "/",
    "/.well-known/{proxy+}",
    "/authorize",
    "/files/{proxy+}",
    "/healthz",
    "/oauth/{proxy+}",
    "/register",
    "/revoke",
    "/setup",
    "/status/{proxy+}",
    "/token",
  ]
  open_routes = toset([for path in local.open_paths : "ANY ${path}"])
  # Everything else, named or not, asks the authorizer.
  protected_routes = toset(["ANY /mcp", "$default"])

  # The role's ARN tells partition and account without a further question to AWS.
  partition    = split(":", aws_iam_role.authorizer.arn)[1]
  account      = split(":", aws_iam_role.authorizer.arn)[4]
  function_arn = "arn:${local.partition}:lambda:${var.region}:${local.account}:function:${local.function_name}"
}
