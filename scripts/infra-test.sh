#!/bin/sh
# Everything that can be known of infra/ without an AWS account: format, validity, tests with a mock provider,
# the policy check on real plans, the refusals of prevent_destroy, and an apply with `cargo lambda deploy` against
# a stand-in for AWS on loopback. Asks nothing of the network.
#
# TERRAFORM: the program (default: terraform). TF_PLUGIN_MIRROR: a folder in the layout of a provider mirror
# (HOST/hashicorp/aws/VERSION/...); without it the usual places are looked at. The stand-in for AWS and
# cargo-lambda come from .venv-infra (`make venv-infra`), the authorizer's program from the target folder.
# What cannot be run is said, and is no failure, unless REQUIRE_INFRA=1.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
terraform=${TERRAFORM:-terraform}

not_run() {
  echo "infra-test: not run: $1"
  if [ "${REQUIRE_INFRA:-}" = 1 ]; then
    echo "infra-test: REQUIRE_INFRA=1, so that is a failure" >&2
    exit 1
  fi
  exit 0
}

command -v python3 >/dev/null 2>&1 || not_run "everything (python3 is not installed)"

echo "==> the policy's own tests"
python3 "$root/scripts/infra-policy-test.py"

command -v "$terraform" >/dev/null 2>&1 || not_run "fmt, validate, tests and plans (terraform is not installed)"

# A provider lies at MIRROR/HOST/hashicorp/aws; the first such MIRROR is taken.
find_mirror() {
  for place in ${TF_PLUGIN_MIRROR:-} "$HOME/.terraform.d/plugins" "$HOME/.local/share/terraform/plugins" \
    /usr/local/share/terraform/plugins /usr/share/terraform/plugins /opt/*; do
    if [ -d "$place/registry.terraform.io/hashicorp/aws" ]; then
      echo "$place"
      return
    fi
  done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mirror=$(find_mirror)

# One command-line configuration of our own: what the machine has set may ask a registry. Credentials are
# invented, so that no account can be met by mistake.
cat >"$work/terraform.rc" <<EOF
provider_installation {
  filesystem_mirror {
    path = "${mirror:-$work}"
  }
}
disable_checkpoint = true
EOF
unset AWS_PROFILE AWS_SESSION_TOKEN TF_CLI_ARGS TF_WORKSPACE
export TF_CLI_CONFIG_FILE="$work/terraform.rc" TF_DATA_DIR="$work/data" TF_IN_AUTOMATION=1 CHECKPOINT_DISABLE=1
export AWS_ACCESS_KEY_ID=invented AWS_SECRET_ACCESS_KEY=invented AWS_EC2_METADATA_DISABLED=true
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
for variable in $(env | sed -n 's/^\(TF_VAR_[A-Za-z0-9_]*\)=.*/\1/p'); do
  unset "$variable"
done

echo "==> terraform fmt"
# Standard input must not be taken for a file to format.
"$terraform" -chdir="$root/infra" fmt -check -recursive -diff </dev/null

[ -n "$mirror" ] || not_run "validate, tests and plans (no copy of the provider hashicorp/aws found; set TF_PLUGIN_MIRROR)"

# In a copy: what the owner keeps in infra/ (a backend, overrides, variables) takes no part.
mkdir "$work/infra"
(cd "$root/infra" && cp -- *.tf *.example "$work/infra/" && cp -R tests "$work/infra/")
rm -f "$work/infra/backend.tf" "$work/infra/retain.tf" "$work/infra"/*_override.tf
# The provider takes the invented credentials unseen.
cat >"$work/infra/offline_override.tf" <<'EOF'
provider "aws" {
  skip_credentials_validation = true
  skip_requesting_account_id  = true
  skip_metadata_api_check     = true
}
EOF
cd "$work/infra"

echo "==> terraform validate"
"$terraform" init -input=false -no-color >"$work/init.log" 2>&1 || {
  cat "$work/init.log" >&2
  exit 1
}
"$terraform" validate -no-color

echo "==> terraform test"
"$terraform" test -no-color

echo "==> plans: policy and refusals"
python3 "$root/scripts/infra-plans.py" --terraform "$terraform" --directory "$work/infra" \
  --open-paths "$root/functions/authorizer/src/paths.rs" --edge "$root/tests/src/gateway/plan.json"

tools="$root/.venv-infra/bin"
if [ ! -x "$tools/moto_server" ] || [ ! -x "$tools/cargo-lambda" ]; then
  not_run "apply and deploy (no .venv-infra: make venv-infra)"
fi
bootstrap=
for profile in edge release debug; do
  if [ -x "$root/target/$profile/authorizer" ]; then
    bootstrap="$root/target/$profile/authorizer"
    break
  fi
done
[ -n "$bootstrap" ] || not_run "apply and deploy (no authorizer is built: cargo build --package authorizer)"

echo "==> apply and deploy against a stand-in for AWS"
rm -f "$work/infra"/terraform.tfstate*
"$tools/python" "$root/scripts/infra-apply.py" --terraform "$terraform" --directory "$work/infra" \
  --repository "$root" --edge "$root/tests/src/gateway/plan.json" --moto-server "$tools/moto_server" \
  --cargo-lambda "$tools/cargo-lambda" --bootstrap "$bootstrap"
echo "infra-test: all of it ran"
