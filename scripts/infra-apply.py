#!/usr/bin/env python3
"""Applies infra/ for real, with the real provider, against a stand-in for AWS on loopback (moto, and one of our own
for Lightsail), deploys the authorizer there by `cargo lambda deploy`, and looks at what came out.

All but the custom domain: moto never finishes one; the tests with a mock provider cover it.
"""

import argparse
import contextlib
import json
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import infra_edge  # noqa: E402
import infra_policy  # noqa: E402

VARIABLES = {"region": "eu-central-1", "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDUK0Ct4VqYv example", "alarm_email": "owner@example.com"}
SERVICES = ("apigatewayv2", "cloudformation", "cloudwatch", "iam", "lambda", "logs", "s3", "s3control", "sns", "sts")

OVERRIDE = """
provider "aws" {
  access_key                  = "invented"
  secret_key                  = "invented"
  s3_use_path_style           = true
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  # A call that fails says so at once, instead of being tried again for minutes.
  max_retries = 2

  endpoints {
%s
  }
}
"""


class Failed(Exception):
    pass


def say(what):
    print(f"  {what}... pass", flush=True)


def ask(ok, what, otherwise=""):
    if not ok:
        raise Failed(f"{what}: {otherwise}" if otherwise else what)
    say(what)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def aws(python, moto_server):
    """(moto's URL, the URL of the stand-in for Lightsail), both gone afterwards."""
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    moto = subprocess.Popen([moto_server, "-H", "127.0.0.1", "-p", str(port)], stdin=subprocess.DEVNULL, **quiet)
    script = str(pathlib.Path(__file__).with_name("lightsail_stand_in.py"))
    lightsail = subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/moto-api/", timeout=5).read()
                break
            if moto.poll() is not None:
                raise Failed("moto does not start")
            time.sleep(0.2)
        else:
            raise Failed("moto does not answer within a minute")
        yield url, f"http://127.0.0.1:{lightsail.stdout.readline().strip()}"
    finally:
        for process in (moto, lightsail):
            process.terminate()
            process.wait(timeout=20)


class Terraform:
    def __init__(self, program, directory):
        self.program, self.directory = program, pathlib.Path(directory)

    def run(self, *arguments, variables=None, limit=900):
        # A later -var overrides an earlier one.
        given = [f"-var={name}={value}" for name, value in (VARIABLES | (variables or {})).items()] if arguments[0] in {"apply", "plan", "destroy"} else []
        command = [self.program, arguments[0], "-no-color", *(["-input=false"] if given else []), *given, *arguments[1:]]
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)

    def output(self, name):
        return self.run("output", "-raw", name).stdout

    def state(self):
        return (self.directory / "terraform.tfstate").read_text()


def end(text):
    return "\n" + "\n".join(text.strip().split("\n")[-40:])


def lightsail_call(url, action, **given):
    request = urllib.request.Request(url, json.dumps(given).encode(), {"x-amz-target": f"Lightsail_20161128.{action}"})
    return json.load(urllib.request.urlopen(request, timeout=10))


def function_configuration(moto, name):
    signed = {"Authorization": "AWS4-HMAC-SHA256 Credential=invented/20260101/eu-central-1/lambda/aws4_request, SignedHeaders=host, Signature=x"}
    request = urllib.request.Request(f"{moto}/2015-03-31/functions/{name}/configuration", headers=signed)
    return json.load(urllib.request.urlopen(request, timeout=10))


def deploy(options, terraform, moto, token):
    """The commands of infra/README.md, with a program that is built already."""
    variables = pathlib.Path(terraform.directory / "function.env")
    variables.touch(mode=0o600)
    variables.write_text(f"MCP_AUTH_TOKEN={token}\nPUBLIC_URL={terraform.output('public_url')}\n")
    # Where `cargo lambda build` would have put it.
    built = terraform.directory / "lambda" / "authorizer" / "bootstrap"
    built.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(options.bootstrap, built)
    function = terraform.output("authorizer_function")
    command = [
        options.cargo_lambda, "lambda", "deploy", "--endpoint-url", moto, "--region", VARIABLES["region"], "--memory", "128", "--timeout", "5",
        "--role", terraform.output("authorizer_role_arn"), "--env-file", str(variables),
        "--lambda-dir", str(built.parent.parent), "--binary-name", "authorizer", "--output-format", "json", function,
    ]
    environment = os.environ | {"AWS_ACCESS_KEY_ID": "invented", "AWS_SECRET_ACCESS_KEY": "invented"}
    done = subprocess.run(command, cwd=options.repository, env=environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    ask(done.returncode == 0, "cargo lambda deploy puts the authorizer there", end(done.stdout + done.stderr))
    return function_configuration(moto, function)


def no_changes(terraform, when):
    done = terraform.run("plan", "-detailed-exitcode")
    ask(done.returncode == 0, f"a plan {when} says: no changes", end(done.stdout + done.stderr))


def refused(terraform, what, *arguments, variables=None):
    done = terraform.run(*arguments, "-refresh=false", variables=variables)
    text = (done.stdout + done.stderr).replace("\n", " ")
    ask(done.returncode != 0 and "Instance cannot be destroyed" in text, f"{what} is refused", end(done.stdout + done.stderr))


def judge(options, terraform, moto, lightsail):
    started = time.monotonic()
    done = terraform.run("apply", "-auto-approve")
    ask(done.returncode == 0, f"terraform apply makes all of it, in {time.monotonic() - started:.0f} s", end(done.stdout + done.stderr))
    no_changes(terraform, "at once after it")

    shown = json.loads(terraform.run("show", "-json").stdout)
    planned = pathlib.Path(options.edge).read_text()
    ask(infra_edge.as_text(infra_edge.extract(shown)) == planned, "routes and authorizer are those that the tests' gateway has")
    printed = infra_policy.outputs({"planned_values": {"outputs": shown["values"]["outputs"]}})
    ask(not printed, "what is printed names no address and no account", "; ".join(printed))
    host = lightsail_call(lightsail, "GetInstance", instanceName="vault-cortex")["instance"]
    ask([port["fromPort"] for port in host["networking"]["ports"]] in ([22, 8000], [8000, 22]), "the host's firewall is the two ports, and 80 is closed")
    ask([(add["name"], add["snapshotTimeOfDay"]) for add in host["addOns"]] == [("AutoSnapshot", "03:00")], "the host is snapshot daily at 03:00")
    ask(host["isStaticIp"], "the host has the static address")

    token = secrets.token_urlsafe(32)
    first = deploy(options, terraform, moto, token)
    no_changes(terraform, "after cargo lambda deploy")
    second = deploy(options, terraform, moto, f"{token}2")
    no_changes(terraform, "after a second one, with another token")
    for made in (first, second):
        seen = (made["MemorySize"], made["Timeout"], made["Role"], sorted(made["Environment"]["Variables"]))
        wanted = (128, 5, terraform.output("authorizer_role_arn"), ["MCP_AUTH_TOKEN", "PUBLIC_URL"])
        ask(seen == wanted, "the function has its memory, its time, its role and its variables", f"{seen}")
    kept = [path.name for path in terraform.directory.rglob("*") if path.is_file() and path.name != "function.env" and token.encode() in path.read_bytes()]
    ask(not kept, "the token is neither in the state nor anywhere beside it", ", ".join(kept))
    unqualified = infra_policy.of_type({"planned_values": shown["values"]}, "aws_apigatewayv2_authorizer")[0]["values"]["authorizer_uri"]
    ask(unqualified.endswith(":function:vault-cortex-authorizer/invocations"), "the gateway asks the function by its name, whatever version is newest")

    for what, variables in (("another bundle", {"bundle_id": "medium_3_0"}), ("another zone", {"availability_zone": "eu-central-1b"})):
        refused(terraform, f"an apply with {what}", "apply", "-auto-approve", variables=variables)
    refused(terraform, "terraform destroy", "destroy", "-auto-approve")
    calls = lightsail_call(lightsail, "Calls")["calls"]
    ask(not any(call.startswith(("Delete", "Release", "Detach", "Close")) for call in calls), "nothing of the host was taken away", f"{calls}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--terraform", default="terraform")
    parser.add_argument("--directory", required=True, help="an initialised copy of infra/, which gets a state")
    parser.add_argument("--repository", required=True)
    parser.add_argument("--edge", required=True, help="the settings of the tests' gateway")
    parser.add_argument("--moto-server", required=True)
    parser.add_argument("--cargo-lambda", required=True)
    parser.add_argument("--bootstrap", required=True, help="the authorizer's program")
    options = parser.parse_args()

    terraform = Terraform(options.terraform, options.directory)
    try:
        with aws(sys.executable, options.moto_server) as (moto, lightsail):
            endpoints = "\n".join([f'    {service} = "{moto}"' for service in SERVICES] + [f'    lightsail = "{lightsail}"'])
            (terraform.directory / "offline_override.tf").write_text(OVERRIDE % endpoints)
            judge(options, terraform, moto, lightsail)
    except (Failed, subprocess.TimeoutExpired, urllib.error.URLError) as error:
        sys.exit(f"infra-apply: {error}")


if __name__ == "__main__":
    main()
