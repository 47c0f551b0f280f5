#!/usr/bin/env python3
"""A stand-in for Amazon Lightsail, as far as infra/ needs it: moto, which stands in for the rest, has none.

Keeps everything in memory, speaks the service's JSON protocol on loopback, prints the port it listens on, and ends
with its parent's pipe. An action it does not know is an error that names it. Standard library only.
"""

import json
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ACCOUNT, REGION = "123456789012", "eu-central-1"
ADDRESS = "192.0.2.10"


class NotFound(Exception):
    pass


class Lightsail:
    def __init__(self):
        self.lock = threading.Lock()
        self.instances, self.keys, self.addresses, self.calls = {}, {}, {}, []

    def act(self, action, given):
        with self.lock:
            self.calls.append(action)
            handler = getattr(self, action, None)
            if handler is None or not action[:1].isupper():
                raise ValueError(f"the stand-in for Lightsail does not know {action}")
            return handler(given)

    # Everything is done at once: an operation is made to be asked about, and has succeeded.
    def operation(self, kind, name, resource):
        return {
            "id": str(uuid.uuid4()), "resourceName": name, "resourceType": resource, "operationType": kind, "isTerminal": True,
            "status": "Succeeded", "createdAt": time.time(), "statusChangedAt": time.time(), "location": self.location(),
        }

    def GetOperation(self, given):
        return {"operation": self.operation("Unknown", "unknown", "Instance") | {"id": given["operationId"]}}

    def location(self, zone=f"{REGION}a"):
        return {"availabilityZone": zone, "regionName": REGION}

    def described(self, kind, name, tags):
        return {
            "name": name, "arn": f"arn:aws:lightsail:{REGION}:{ACCOUNT}:{kind}/{uuid.uuid5(uuid.NAMESPACE_OID, kind + name)}",
            "createdAt": int(time.time()), "resourceType": kind, "supportCode": f"{ACCOUNT}/x", "tags": tags or [],
        }

    @staticmethod
    def one(of, name):
        if name not in of:
            raise NotFound(f"{name} does not exist")
        return of[name]

    def ImportKeyPair(self, given):
        name = given["keyPairName"]
        self.keys[name] = self.described("KeyPair", name, None) | {"location": self.location(), "fingerprint": "00:00"}
        return {"operation": self.operation("ImportKeyPair", name, "KeyPair")}

    def GetKeyPair(self, given):
        return {"keyPair": self.one(self.keys, given["keyPairName"])}

    def DeleteKeyPair(self, given):
        self.keys.pop(given["keyPairName"], None)
        return {"operation": self.operation("DeleteKeyPair", given["keyPairName"], "KeyPair")}

    def CreateInstances(self, given):
        done = []
        for name in given["instanceNames"]:
            self.instances[name] = self.described("Instance", name, given.get("tags")) | {
                "blueprintId": given["blueprintId"], "bundleId": given["bundleId"], "sshKeyName": given.get("keyPairName", ""),
                "location": self.location(given["availabilityZone"]), "ipAddressType": given.get("ipAddressType", "dualstack"),
                "publicIpAddress": "198.51.100.1", "privateIpAddress": "10.0.0.5", "ipv6Addresses": [], "isStaticIp": False,
                "username": "admin", "state": {"code": 16, "name": "running"}, "hardware": {"cpuCount": 2, "ramSizeInGb": 2.0, "disks": []},
                "addOns": [], "networking": {"ports": self.opened([22, 80])},
            }
            for add_on in given.get("addOns", []):
                self.add(name, add_on)
            done.append(self.operation("CreateInstance", name, "Instance"))
        return {"operations": done}

    def add(self, name, request):
        wanted = request.get("autoSnapshotAddOnRequest", {})
        entry = {"name": request["addOnType"], "status": "Enabled", "snapshotTimeOfDay": wanted.get("snapshotTimeOfDay", "06:00")}
        self.one(self.instances, name)["addOns"] = [entry]

    def EnableAddOn(self, given):
        self.add(given["resourceName"], given["addOnRequest"])
        return {"operations": [self.operation("EnableAddOn", given["resourceName"], "Instance")]}

    def GetInstance(self, given):
        return {"instance": self.one(self.instances, given["instanceName"])}

    def DeleteInstance(self, given):
        self.instances.pop(given["instanceName"], None)
        return {"operations": [self.operation("DeleteInstance", given["instanceName"], "Instance")]}

    # A new instance opens these on its own, whatever its owner wants.
    def opened(self, ports):
        return [
            {"fromPort": port, "toPort": port, "protocol": "tcp", "cidrs": ["0.0.0.0/0"], "ipv6Cidrs": [], "cidrListAliases": []} for port in ports
        ]

    def PutInstancePublicPorts(self, given):
        # The whole firewall is replaced. No ranges means everybody.
        ports = [
            {"cidrs": [], "ipv6Cidrs": [], "cidrListAliases": []} | {name: value for name, value in port.items() if value is not None}
            for port in given["portInfos"]
        ]
        for port in ports:
            if not (port["cidrs"] or port["ipv6Cidrs"] or port["cidrListAliases"]):
                port["cidrs"] = ["0.0.0.0/0"]
        self.one(self.instances, given["instanceName"])["networking"] = {"ports": ports}
        return {"operation": self.operation("PutInstancePublicPorts", given["instanceName"], "Instance")}

    def GetInstancePortStates(self, given):
        ports = self.one(self.instances, given["instanceName"])["networking"]["ports"]
        return {"portStates": [port | {"state": "open"} for port in ports]}

    def CloseInstancePublicPorts(self, given):
        instance = self.one(self.instances, given["instanceName"])
        closed = given["portInfo"]["fromPort"]
        instance["networking"]["ports"] = [port for port in instance["networking"]["ports"] if port["fromPort"] != closed]
        return {"operation": self.operation("CloseInstancePublicPorts", given["instanceName"], "Instance")}

    def AllocateStaticIp(self, given):
        name = given["staticIpName"]
        self.addresses[name] = self.described("StaticIp", name, None) | {"location": self.location(), "ipAddress": ADDRESS, "isAttached": False}
        return {"operations": [self.operation("AllocateStaticIp", name, "StaticIp")]}

    def GetStaticIp(self, given):
        return {"staticIp": self.one(self.addresses, given["staticIpName"])}

    def AttachStaticIp(self, given):
        address = self.one(self.addresses, given["staticIpName"])
        instance = self.one(self.instances, given["instanceName"])
        address.update(attachedTo=given["instanceName"], isAttached=True)
        instance.update(publicIpAddress=address["ipAddress"], isStaticIp=True)
        return {"operations": [self.operation("AttachStaticIp", given["staticIpName"], "StaticIp")]}

    def DetachStaticIp(self, given):
        self.one(self.addresses, given["staticIpName"]).update(attachedTo=None, isAttached=False)
        return {"operations": [self.operation("DetachStaticIp", given["staticIpName"], "StaticIp")]}

    def ReleaseStaticIp(self, given):
        self.addresses.pop(given["staticIpName"], None)
        return {"operations": [self.operation("ReleaseStaticIp", given["staticIpName"], "StaticIp")]}

    def named(self, name):
        for of in (self.instances, self.keys, self.addresses):
            if name in of:
                return of[name]
        raise NotFound(f"{name} does not exist")

    # A key that is imported gets its tags only here.
    def TagResource(self, given):
        resource = self.named(given["resourceName"])
        new = {tag["key"] for tag in given["tags"]}
        resource["tags"] = [tag for tag in resource["tags"] if tag["key"] not in new] + given["tags"]
        return {"operations": [self.operation("TagResource", given["resourceName"], resource["resourceType"])]}

    def UntagResource(self, given):
        resource = self.named(given["resourceName"])
        resource["tags"] = [tag for tag in resource["tags"] if tag["key"] not in given["tagKeys"]]
        return {"operations": [self.operation("UntagResource", given["resourceName"], resource["resourceType"])]}

    # Not of the service: what the tests look at.
    def Calls(self, given):
        return {"calls": self.calls}


def handler(service):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            action = self.headers.get("x-amz-target", "").rpartition(".")[2]
            try:
                status, answer = 200, service.act(action, json.loads(body or b"{}"))
            except NotFound as error:
                status, answer = 400, {"__type": "NotFoundException", "message": str(error)}
            except Exception as error:  # noqa: BLE001: an error that is no answer would be retried for minutes
                status, answer = 400, {"__type": "InvalidInputException", "message": f"{type(error).__name__}: {error}"}
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/x-amz-json-1.1")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    return Handler


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(Lightsail()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
