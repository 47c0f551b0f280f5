# A log that anybody can read may show what an apply prints: addresses that would let somebody go around the
# gateway, and account numbers, print as (sensitive value). `terraform output -raw NAME` gives them.

output "public_url" {
  description = "PUBLIC_URL of server and authorizer; clients connect to it with /mcp behind it."
  value       = local.public_url
}

output "trust_forwarded_hops" {
  description = "TRUST_FORWARDED_HOPS of the server."
  value       = var.trust_forwarded_hops
}

output "authorizer_function" {
  description = "Name under which `cargo lambda deploy` puts the authorizer."
  value       = local.function_name
}

output "instance_name" {
  description = "Lightsail name of the host."
  value       = aws_lightsail_instance.host.name
}

output "snapshot_bucket" {
  description = "Bucket of `vault-cortex snapshot`."
  value       = aws_s3_bucket.snapshots.bucket
}

output "snapshot_user" {
  description = "User whose key the host writes snapshots with; make the key by hand."
  value       = aws_iam_user.snapshots.name
}

output "log_groups" {
  description = "Where gateway and authorizer write."
  value       = [aws_cloudwatch_log_group.gateway.name, aws_cloudwatch_log_group.authorizer.name]
}

output "authorizer_role_arn" {
  description = "Role for `cargo lambda deploy --role`. Names the account."
  value       = aws_iam_role.authorizer.arn
  sensitive   = true
}

output "static_ip" {
  description = "Address of the host, for SSH."
  value       = aws_lightsail_static_ip.host.ip_address
  sensitive   = true
}

output "allowed_hosts" {
  description = "ALLOWED_HOSTS of the server: the name that the gateway calls it by."
  value       = trimprefix(trimprefix(local.origin, "https://"), "http://")
  sensitive   = true
}

output "custom_domain_target" {
  description = "What the DNS record of custom_domain points at (CNAME or alias); empty without one."
  value       = local.own_domain ? aws_apigatewayv2_domain_name.own[0].domain_name_configuration[0].target_domain_name : ""
}
