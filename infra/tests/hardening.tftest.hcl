# Plans only: nothing is made, so nothing has to be destroyed again (which `prevent_destroy` would refuse).
mock_provider "aws" {
  source          = "./tests/mocks"
  override_during = plan
}

variables {
  region         = "eu-central-1"
  ssh_public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDUK0Ct4VqYv example"
}

run "tunnel" {
  command = plan

  variables {
    origin_url = "https://origin.example.com"
  }

  assert {
    condition     = aws_apigatewayv2_integration.host.integration_uri == "https://origin.example.com" && output.allowed_hosts == "origin.example.com"
    error_message = "The gateway forwards to the tunnel, and the server knows that name."
  }
  assert {
    condition     = jsonencode([local.ports.mcp.cidrs, local.ports.ssh.cidrs]) == jsonencode([["127.0.0.1/32"], ["0.0.0.0/0"]])
    error_message = "With a tunnel nobody reaches port 8000 directly."
  }
  assert {
    condition     = length(aws_cloudformation_stack.origin_access) == 0
    error_message = "No service token without its flag."
  }
}

run "tunnel_with_the_port_left_open" {
  command = plan

  variables {
    origin_url     = "https://origin.example.com:8443"
    mcp_port_cidrs = "203.0.113.0/24, 198.51.100.7/32"
  }

  assert {
    condition     = jsonencode(local.ports.mcp.cidrs) == jsonencode(["203.0.113.0/24", "198.51.100.7/32"])
    error_message = "Ranges that are given win over the tunnel."
  }
  assert {
    condition     = output.allowed_hosts == "origin.example.com:8443"
    error_message = "A port belongs to the name."
  }
}

run "everything_closed" {
  command = plan

  variables {
    origin_url     = "https://origin.example.com"
    mcp_port_cidrs = "none"
    ssh_cidrs      = "none"
  }

  assert {
    condition     = jsonencode(local.ports) == jsonencode({ mcp = { port = 8000, cidrs = ["127.0.0.1/32"] }, ssh = { port = 22, cidrs = ["127.0.0.1/32"] } })
    error_message = "Both entries stay, and let nobody in: Lightsail takes no empty list."
  }
}

run "service_token" {
  command = plan

  variables {
    origin_url                           = "https://origin.example.com"
    origin_access_service_token_enabled  = true
    origin_access_service_token          = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:origin-AbCdEf"
    origin_access_service_token_revision = 3
  }

  assert {
    condition     = alltrue([for route in merge(aws_apigatewayv2_route.open, aws_apigatewayv2_route.protected) : route.target == "integrations/token01"])
    error_message = "Every route goes through the integration that shows the token."
  }
  assert {
    condition = jsondecode(aws_cloudformation_stack.origin_access[0].template_body).Resources.Integration.Properties == {
      ApiId                = "abc123"
      Description          = "The tunnel host, with service token, revision 3"
      IntegrationType      = "HTTP_PROXY"
      IntegrationMethod    = "ANY"
      IntegrationUri       = "https://origin.example.com"
      PayloadFormatVersion = "1.0"
      TimeoutInMillis      = 30000
      RequestParameters = {
        "overwrite:path"                           = "$request.path"
        "overwrite:header.CF-Access-Client-Id"     = "{{resolve:secretsmanager:arn:aws:secretsmanager:eu-central-1:123456789012:secret:origin-AbCdEf:SecretString:client_id}}"
        "overwrite:header.CF-Access-Client-Secret" = "{{resolve:secretsmanager:arn:aws:secretsmanager:eu-central-1:123456789012:secret:origin-AbCdEf:SecretString:client_secret}}"
      }
    }
    error_message = "The template holds references, like the other integration otherwise."
  }
}

run "own_domain" {
  command = plan

  variables {
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  assert {
    condition     = one(aws_apigatewayv2_domain_name.own[0].domain_name_configuration).security_policy == "TLS_1_2" && one(aws_apigatewayv2_domain_name.own[0].domain_name_configuration).endpoint_type == "REGIONAL" && length(aws_apigatewayv2_api_mapping.own) == 1
    error_message = "The domain speaks TLS 1.2 and leads to the stage."
  }
  assert {
    condition     = output.public_url == "https://vault.example.com" && !aws_apigatewayv2_api.gateway.disable_execute_api_endpoint && output.trust_forwarded_hops == 1
    error_message = "Tokens are bound to the domain; the default address stays open beside it until it is closed."
  }
}

run "own_domain_behind_a_cdn" {
  command = plan

  variables {
    custom_domain                = "vault.example.com"
    custom_domain_cert_arn       = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
    disable_execute_api_endpoint = true
    trust_forwarded_hops         = 2
  }

  assert {
    condition     = aws_apigatewayv2_api.gateway.disable_execute_api_endpoint && output.trust_forwarded_hops == 2
    error_message = "Two hops are trusted once the default address is closed."
  }
}

# What the refusals must not catch.
run "right_values_beside_those_that_are_refused" {
  command = plan

  variables {
    availability_zone      = "eu-central-1c"
    blueprint_id           = "ubuntu_24_04"
    mcp_port_cidrs         = "203.0.113.7/32, 0.0.0.0/0"
    user_data              = "#!/bin/sh\n# The tokens and passwords go into .env by hand.\nsed -i 's/^#*PasswordAuthentication.*/PasswordAuthentication no/' /etc/ssh/sshd_config\nexport PATH=/usr/sbin:$PATH"
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  assert {
    condition     = contains(local.ports.mcp.cidrs, "0.0.0.0/0") && aws_lightsail_instance.host.blueprint_id == "ubuntu_24_04"
    error_message = "They are taken as they are given."
  }
}

run "tunnel_beside_a_domain_of_ones_own" {
  command = plan

  variables {
    origin_url             = "https://origin.vault.example.com:65535"
    custom_domain          = "vault.example.com"
    custom_domain_cert_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/0f-1a"
  }

  assert {
    condition     = output.allowed_hosts == "origin.vault.example.com:65535"
    error_message = "A name below the domain is another name."
  }
}
