# Plans only: nothing is made, so nothing has to be destroyed again (which `prevent_destroy` would refuse).
mock_provider "aws" {
  source          = "./tests/mocks"
  override_during = plan
}

variables {
  region         = "eu-central-1"
  ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDUK0Ct4VqYv example"
}

# One row per mistake: the variable that is to blame refuses it.

run "name_that_no_bucket_may_have" {
  command = plan

  variables {
    name = "Vault_Cortex"
  }

  expect_failures = [var.name]
}

run "region_that_is_a_zone" {
  command = plan

  variables {
    region = "eu-central-1a"
  }

  expect_failures = [var.region]
}

run "zone_of_another_region" {
  command = plan

  variables {
    availability_zone = "us-east-1a"
  }

  expect_failures = [var.availability_zone]
}

run "private_key" {
  command = plan

  variables {
    ssh_public_key = "-----BEGIN OPENSSH PRIVATE KEY-----"
  }

  expect_failures = [var.ssh_public_key]
}

run "no_key" {
  command = plan

  variables {
    ssh_public_key = ""
  }

  expect_failures = [var.ssh_public_key]
}

run "instance_name_with_a_space" {
  command = plan

  variables {
    instance_name = "my host"
  }

  expect_failures = [var.instance_name]
}

run "bundle_too_small" {
  command = plan

  variables {
    bundle_id = "nano_3_0"
  }

  expect_failures = [var.bundle_id]
}

run "secret_in_user_data" {
  command = plan

  variables {
    user_data = "export MCP_AUTH_TOKEN=abc"
  }

  expect_failures = [var.user_data]
}

run "alarm_email_that_is_none" {
  command = plan

  variables {
    alarm_email = "owner"
  }

  expect_failures = [var.alarm_email]
}

run "retention_that_cloudwatch_does_not_know" {
  command = plan

  variables {
    log_retention_days = 31
  }

  expect_failures = [var.log_retention_days]
}

run "versions_gone_too_soon" {
  command = plan

  variables {
    snapshot_noncurrent_days = 1
  }

  expect_failures = [var.snapshot_noncurrent_days]
}

run "origin_over_plain_http" {
  command = plan

  variables {
    origin_url = "http://origin.example.com"
  }

  expect_failures = [var.origin_url]
}

run "origin_with_a_path" {
  command = plan

  variables {
    origin_url = "https://origin.example.com/mcp"
  }

  expect_failures = [var.origin_url]
}

run "origin_with_a_user" {
  command = plan

  variables {
    origin_url = "https://user:pass@origin.example.com"
  }

  expect_failures = [var.origin_url]
}

run "service_token_without_a_tunnel" {
  command = plan

  variables {
    origin_access_service_token_enabled = true
    origin_access_service_token         = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:origin-AbCdEf"
  }

  expect_failures = [var.origin_access_service_token_enabled]
}

run "service_token_without_its_secret" {
  command = plan

  variables {
    origin_url                          = "https://origin.example.com"
    origin_access_service_token_enabled = true
  }

  expect_failures = [var.origin_access_service_token_enabled]
}

run "service_token_itself" {
  command = plan

  variables {
    origin_access_service_token = "0123abcd.access"
  }

  expect_failures = [var.origin_access_service_token]
}

run "port_closed_without_a_tunnel" {
  command = plan

  variables {
    mcp_port_cidrs = "none"
  }

  expect_failures = [var.mcp_port_cidrs]
}

run "port_range_that_is_none" {
  command = plan

  variables {
    mcp_port_cidrs = "203.0.113.0"
  }

  expect_failures = [var.mcp_port_cidrs]
}

run "ssh_range_that_is_none" {
  command = plan

  variables {
    ssh_cidrs = "home"
  }

  expect_failures = [var.ssh_cidrs]
}

run "ssh_range_of_the_other_family" {
  command = plan

  variables {
    ssh_cidrs = "2001:db8::/32"
  }

  expect_failures = [var.ssh_cidrs]
}

run "domain_without_its_certificate" {
  command = plan

  variables {
    custom_domain = "vault.example.com"
  }

  expect_failures = [var.custom_domain]
}

run "certificate_without_its_domain" {
  command = plan

  variables {
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  expect_failures = [var.custom_domain]
}

run "certificate_of_another_region" {
  command = plan

  variables {
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:us-east-1:123456789012:certificate/0f-1a"
  }

  expect_failures = [var.custom_domain_cert_arn]
}

run "domain_that_is_an_address" {
  command = plan

  variables {
    custom_domain          = "https://vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  expect_failures = [var.custom_domain]
}

run "no_address_left" {
  command = plan

  variables {
    disable_execute_api_endpoint = true
  }

  expect_failures = [var.disable_execute_api_endpoint]
}

run "three_hops" {
  command = plan

  variables {
    trust_forwarded_hops = 3
  }

  expect_failures = [var.trust_forwarded_hops]
}

run "two_hops_beside_the_open_default_address" {
  command = plan

  variables {
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
    trust_forwarded_hops   = 2
  }

  expect_failures = [var.trust_forwarded_hops]
}

run "zone_with_a_number_too_many" {
  command = plan

  variables {
    availability_zone = "eu-central-10a"
  }

  expect_failures = [var.availability_zone]
}

run "zone_without_its_letter" {
  command = plan

  variables {
    availability_zone = "eu-central-1"
  }

  expect_failures = [var.availability_zone]
}

run "windows" {
  command = plan

  variables {
    blueprint_id = "windows_server_2022"
  }

  expect_failures = [var.blueprint_id]
}

run "image_with_an_application" {
  command = plan

  variables {
    blueprint_id = "wordpress"
  }

  expect_failures = [var.blueprint_id]
}

run "mesh_key_in_user_data" {
  command = plan

  variables {
    user_data = "tailscale up --authkey tskey-auth-abc"
  }

  expect_failures = [var.user_data]
}

run "mesh_key_of_another_spelling_in_user_data" {
  command = plan

  variables {
    user_data = "tailscale up --auth-key=file:/etc/tailscale/key"
  }

  expect_failures = [var.user_data]
}

run "mesh_key_variable_in_user_data" {
  command = plan

  variables {
    user_data = "TS_AUTHKEY=abc tailscale up"
  }

  expect_failures = [var.user_data]
}

run "secret_in_yaml_in_user_data" {
  command = plan

  variables {
    user_data = "printf \"MCP_AUTH_TOKEN: abc\" > .env"
  }

  expect_failures = [var.user_data]
}

run "secret_in_json_in_user_data" {
  command = plan

  variables {
    user_data = "echo {\"password\": \"abc\"} > config.json"
  }

  expect_failures = [var.user_data]
}

run "tunnel_token_in_user_data" {
  command = plan

  variables {
    user_data = "cloudflared tunnel run --token abc"
  }

  expect_failures = [var.user_data]
}

run "private_key_in_user_data" {
  command = plan

  variables {
    user_data = "cat > key <<END\n-----BEGIN OPENSSH PRIVATE KEY-----\nEND"
  }

  expect_failures = [var.user_data]
}

run "origin_with_a_port_that_is_none" {
  command = plan

  variables {
    origin_url = "https://origin.example.com:99999"
  }

  expect_failures = [var.origin_url]
}

run "origin_with_port_zero" {
  command = plan

  variables {
    origin_url = "https://origin.example.com:0"
  }

  expect_failures = [var.origin_url]
}

run "origin_that_is_the_gateway_itself" {
  command = plan

  variables {
    origin_url             = "https://Vault.example.com:443"
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  expect_failures = [var.origin_url]
}

run "half_a_revision" {
  command = plan

  variables {
    origin_access_service_token_revision = 1.5
  }

  expect_failures = [var.origin_access_service_token_revision]
}

run "revision_zero" {
  command = plan

  variables {
    origin_access_service_token_revision = 0
  }

  expect_failures = [var.origin_access_service_token_revision]
}

run "half_a_day" {
  command = plan

  variables {
    snapshot_noncurrent_days = 7.5
  }

  expect_failures = [var.snapshot_noncurrent_days]
}

run "half_a_hop" {
  command = plan

  variables {
    trust_forwarded_hops = 1.5
  }

  expect_failures = [var.trust_forwarded_hops]
}

run "port_narrowed_without_a_tunnel" {
  command = plan

  variables {
    mcp_port_cidrs = "203.0.113.7/32"
  }

  expect_failures = [var.mcp_port_cidrs]
}

run "port_open_to_the_host_alone_without_a_tunnel" {
  command = plan

  variables {
    mcp_port_cidrs = "127.0.0.1/32"
  }

  expect_failures = [var.mcp_port_cidrs]
}
