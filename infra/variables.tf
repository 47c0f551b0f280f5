# The variables that everybody meets. Those of the optional hardening stand in variables_hardening.tf.
# "" is "not set" everywhere, so that a pipeline may pass its empty variables on.

variable "name" {
  description = "Prefix of every name that is made: the gateway, the function, roles, log groups, alarms, the bucket."
  type        = string
  default     = "vault-cortex"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,24}[a-z0-9]$", var.name))
    error_message = "name must be 3 to 26 lower-case letters, digits and hyphens, beginning with a letter: it is part of a bucket's name."
  }
}

variable "region" {
  description = "AWS region of everything; Lightsail must exist there."
  type        = string
  default     = "us-east-1"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "region must be the name of an AWS region, such as eu-central-1 (the zone's letter goes into availability_zone)."
  }
}

variable "availability_zone" {
  description = "Zone of the instance; not set: the region's first, its name with an a."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.availability_zone == "" || can(regex("^${var.region}[a-z]$", var.availability_zone))
    error_message = "availability_zone must be a zone of region, its name and one letter, such as eu-central-1a; leave it empty for the first one."
  }
}

variable "ssh_public_key" {
  description = "Public half of the key that may log in to the instance. The private half is never seen here."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/]+=*( [^\\n]*)?\\n?$", var.ssh_public_key))
    error_message = "ssh_public_key must be the one line of a .pub file (ssh-ed25519 or ssh-rsa). Make one by: ssh-keygen -t ed25519 -f vault-cortex, and give vault-cortex.pub. Never give the private key: it would be stored."
  }
}

variable "instance_name" {
  description = "Lightsail name of the host; not set: the value of name. A host restored from a snapshot is imported under its own."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.instance_name == "" || can(regex("^[A-Za-z0-9][A-Za-z0-9_.-]{1,253}$", var.instance_name))
    error_message = "instance_name must begin with a letter or digit and hold letters, digits, _, . and - only: give the name that Lightsail shows."
  }
}

variable "bundle_id" {
  description = "Size of the instance: small_3_0 has 2 GiB, medium_3_0 has 4 GiB. A change replaces the host, and is refused until it is unprotected."
  type        = string
  default     = "small_3_0"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z0-9]+_[0-9]+_[0-9]+$", var.bundle_id)) && !startswith(var.bundle_id, "nano")
    error_message = "bundle_id must be a Linux bundle with IPv4 and 1 GiB or more, such as small_3_0; list them by: aws lightsail get-bundles."
  }
}

variable "blueprint_id" {
  description = "System image of a new instance. A change does not touch the host that exists."
  type        = string
  default     = "debian_12"
  nullable    = false

  validation {
    condition     = can(regex("^(debian|ubuntu|amazon_linux|alma_?linux|centos|centos_stream|opensuse|rocky_?linux)_[0-9]+(_[0-9]+)*$", var.blueprint_id))
    error_message = "blueprint_id must be a plain Linux, such as debian_12 or ubuntu_24_04: the server is a Linux program, and images with an application bring a web server of their own. List them by: aws lightsail get-blueprints."
  }
}

variable "user_data" {
  description = "Shell script that a new instance runs once. It is stored in the state: no secret belongs into it."
  type        = string
  default     = null

  validation {
    condition     = var.user_data == null || !can(regex("(?i)(auth_?token|auth_?key|api_?key|access_?key|password|secret)[a-z_]*[\"']?\\s*[=:]", var.user_data))
    error_message = "user_data is stored in the state and readable on the instance: put tokens, keys and passwords into the .env on the host."
  }
  validation {
    condition     = var.user_data == null || !can(regex("(?i)--(auth-?key|token|password)([ =]|$)|tskey-|-----BEGIN [A-Z ]*PRIVATE KEY", var.user_data))
    error_message = "user_data is stored in the state and readable on the instance: log the host in to a mesh or tunnel by hand, over SSH, not with a key in the script."
  }
}

variable "alarm_email" {
  description = "Address that alarms are sent to; not set: alarms are made, and tell nobody."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.alarm_email == "" || can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", var.alarm_email))
    error_message = "alarm_email must be one e-mail address, or empty for no message. AWS sends a link there that must be followed once."
  }
}

variable "log_retention_days" {
  description = "Days that the logs of the gateway and of the authorizer are kept."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365], var.log_retention_days)
    error_message = "log_retention_days must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365: CloudWatch knows no others."
  }
}

variable "snapshot_noncurrent_days" {
  description = "Days that replaced or deleted objects of the snapshot bucket can still be brought back."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.snapshot_noncurrent_days >= 7 && floor(var.snapshot_noncurrent_days) == var.snapshot_noncurrent_days
    error_message = "snapshot_noncurrent_days must be a whole number of 7 or more: a mistake has to be noticed before its remedy is gone."
  }
}
