# Plain HCL: Terraform 1.11 (the version the tests ran with) or newer. Where the state lies is the
# owner's choice: a backend block goes into a file of its own that is not part of this folder.
terraform {
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source = "hashicorp/aws"
      # 5.100 is the version that the tests ran with.
      version = ">= 5.100, < 7"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { application = var.name }
  }
}
