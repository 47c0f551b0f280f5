# The host: one instance with a daily snapshot, an address that stays, two ports.
#
# `prevent_destroy` refuses every plan that would destroy or replace it, `terraform destroy` included; Lightsail
# itself has no such protection, and the snapshots go with the instance. README.md has the way around.

resource "aws_lightsail_key_pair" "host" {
  name       = "${var.name}-ssh"
  public_key = trimspace(var.ssh_public_key)
}

resource "aws_lightsail_instance" "host" {
  name              = local.instance_name
  availability_zone = local.availability_zone
  blueprint_id      = var.blueprint_id
  bundle_id         = var.bundle_id
  key_pair_name     = aws_lightsail_key_pair.host.name
  user_data         = var.user_data
  # One family of addresses: a second would need a second firewall list.
  ip_address_type = "ipv4"

  # Lightsail keeps seven of them; the number is not a setting. The time is UTC.
  add_on {
    type          = "AutoSnapshot"
    snapshot_time = "03:00"
    status        = "Enabled"
  }

  lifecycle {
    prevent_destroy = true
    # Both are for a new instance only: the one that exists is kept up by its owner, not by its image.
    ignore_changes = [user_data, blueprint_id]
  }
}

resource "aws_lightsail_static_ip" "host" {
  name = "${var.name}-ip"

  lifecycle {
    # Freed, the address may go to somebody else while the gateway and DNS still point at it.
    prevent_destroy = true
  }
}

resource "aws_lightsail_static_ip_attachment" "host" {
  static_ip_name = aws_lightsail_static_ip.host.name
  instance_name  = aws_lightsail_instance.host.name

  lifecycle {
    # A new instance has the old one's name, so nothing else would tell that it has no address yet.
    replace_triggered_by = [aws_lightsail_instance.host.created_at]
  }
}

# Replaces the whole firewall. It has no update: a change takes it away first, then sets it anew.
resource "aws_lightsail_instance_public_ports" "host" {
  instance_name = aws_lightsail_instance.host.name

  dynamic "port_info" {
    for_each = local.ports

    content {
      protocol  = "tcp"
      from_port = port_info.value.port
      to_port   = port_info.value.port
      cidrs     = port_info.value.cidrs
    }
  }

  lifecycle {
    replace_triggered_by = [aws_lightsail_instance.host.created_at]
  }
}
