# Optional: a tunnel as the origin, closed ports, a domain of one's own.

variable "origin_url" {
  description = "Where the gateway forwards to instead of port 8000 of the instance: a tunnel or proxy that ends on the instance."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.origin_url == "" || can(regex("^https://[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+(:[0-9]{1,5})?$", var.origin_url))
    error_message = "origin_url must be https://HOST or https://HOST:PORT, without a path or a final slash: tokens pass through it, so plain http is not taken."
  }
  validation {
    condition     = try(tonumber(regex(":([0-9]+)$", var.origin_url)[0]) >= 1 && tonumber(regex(":([0-9]+)$", var.origin_url)[0]) <= 65535, true)
    error_message = "origin_url must have a port from 1 to 65535, or none for 443."
  }
  validation {
    condition     = var.custom_domain == "" || lower(try(regex("^https://([^:/]+)", var.origin_url)[0], "")) != var.custom_domain
    error_message = "origin_url must not be custom_domain: that name leads to the gateway, which would forward every request to itself. Give the tunnel a name of its own."
  }
}

variable "origin_access_service_token_enabled" {
  description = "Whether the gateway shows a service token (headers CF-Access-Client-Id and CF-Access-Client-Secret) to the tunnel host."
  type        = bool
  default     = false
  nullable    = false

  validation {
    condition     = !var.origin_access_service_token_enabled || var.origin_url != ""
    error_message = "origin_access_service_token_enabled needs origin_url: there is no tunnel host that could ask for the token."
  }
  validation {
    condition     = !var.origin_access_service_token_enabled || var.origin_access_service_token != ""
    error_message = "origin_access_service_token_enabled needs origin_access_service_token: the ARN of the secret that holds client_id and client_secret."
  }
}

variable "origin_access_service_token" {
  description = "ARN of the Secrets Manager secret whose JSON holds client_id and client_secret. The value itself never passes through Terraform."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.origin_access_service_token == "" || can(regex("^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]+$", var.origin_access_service_token))
    error_message = "origin_access_service_token must be the ARN of a secret (arn:aws:secretsmanager:...), not the token: store {\"client_id\": ..., \"client_secret\": ...} by aws secretsmanager create-secret and give the ARN it prints."
  }
}

variable "origin_access_service_token_revision" {
  description = "Raise it after the secret's value changed: the gateway then reads it again."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.origin_access_service_token_revision >= 1 && floor(var.origin_access_service_token_revision) == var.origin_access_service_token_revision
    error_message = "origin_access_service_token_revision must be a whole number of 1 or more: count it up by one."
  }
}

variable "mcp_port_cidrs" {
  description = "Who may reach port 8000: IPv4 ranges separated by commas, or none. Not set: everybody, or nobody when origin_url is set."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = contains(["", "none"], var.mcp_port_cidrs) || alltrue([for range in split(",", var.mcp_port_cidrs) : can(cidrnetmask(trimspace(range)))])
    error_message = "mcp_port_cidrs must be none, or IPv4 ranges separated by commas, such as 203.0.113.0/24,198.51.100.7/32."
  }
  validation {
    condition     = var.mcp_port_cidrs != "none" || var.origin_url != ""
    error_message = "mcp_port_cidrs = none without origin_url would cut the gateway off from the server: set origin_url to the tunnel first."
  }
  validation {
    condition     = contains(["", "none"], var.mcp_port_cidrs) || var.origin_url != "" || contains([for range in split(",", var.mcp_port_cidrs) : trimspace(range)], "0.0.0.0/0")
    error_message = "mcp_port_cidrs without origin_url must contain 0.0.0.0/0: the gateway (an HTTP API) calls from no fixed range of addresses, so any narrower one cuts it off from the server. Leave it empty, or set origin_url to a tunnel and close the port."
  }
}

variable "ssh_cidrs" {
  description = "Who may reach port 22: IPv4 ranges separated by commas, or none (reach the host over a mesh such as Tailscale). Not set: everybody."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = contains(["", "none"], var.ssh_cidrs) || alltrue([for range in split(",", var.ssh_cidrs) : can(cidrnetmask(trimspace(range)))])
    error_message = "ssh_cidrs must be none, or IPv4 ranges separated by commas, such as 203.0.113.0/24."
  }
}

variable "custom_domain" {
  description = "Host name of one's own for the gateway. Its DNS record is made where the domain lives."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.custom_domain == "" || can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.custom_domain))
    error_message = "custom_domain must be a host name in lower case without https:// or a path, such as vault.example.com."
  }
  validation {
    condition     = (var.custom_domain == "") == (var.custom_domain_cert_arn == "")
    error_message = "custom_domain and custom_domain_cert_arn go together: set both, or neither."
  }
}

variable "custom_domain_cert_arn" {
  description = "ARN of the issued ACM certificate for custom_domain, in the same region."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.custom_domain_cert_arn == "" || can(regex("^arn:aws[a-z-]*:acm:${var.region}:[0-9]{12}:certificate/[A-Za-z0-9-]+$", var.custom_domain_cert_arn))
    error_message = "custom_domain_cert_arn must be the ARN of an ACM certificate in the region of the gateway (variable region): request it there, and wait until it is issued."
  }
}

variable "disable_execute_api_endpoint" {
  description = "Whether the automatic execute-api address is closed, so that custom_domain is the only way in."
  type        = bool
  default     = false
  nullable    = false

  validation {
    condition     = !var.disable_execute_api_endpoint || var.custom_domain != ""
    error_message = "disable_execute_api_endpoint needs custom_domain: without one, no address would be left."
  }
}

variable "trust_forwarded_hops" {
  description = "How many trailing elements of Forwarded are trusted: 1, or 2 when custom_domain sits behind a CDN."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = contains([1, 2], var.trust_forwarded_hops)
    error_message = "trust_forwarded_hops must be 1 (the gateway talks to clients) or 2 (a CDN stands before custom_domain)."
  }
  validation {
    condition     = var.trust_forwarded_hops != 2 || var.disable_execute_api_endpoint
    error_message = "trust_forwarded_hops = 2 needs disable_execute_api_endpoint = true: on the open default address a caller skips the CDN and could name any client address."
  }
}
