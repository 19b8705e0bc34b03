#!/usr/bin/env python3
"""Apple's side of APNs on Python's h2 and cryptography: nothing of it is ours.

usage: apns_by_h2.py CERTIFICATE KEY PUBLIC_KEY TOPIC

Prints "port N" when it listens on loopback, then a line of JSON for each push: its path, its
status and reason, its headers but for the authorization, and its body. A push is accepted (200)
when its headers, provider token and payload are as Apple documents them.
"""
import base64
import json
import re
import socket
import ssl
import sys
import threading
import time

import h2.config
import h2.connection
import h2.events
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PAYLOAD_BYTES_MAX = 4096
TOKEN_AGE_MAX = 3600


class Refused(Exception):
    """A status and Apple's reason for it."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def demand(holds, status, reason):
    if not holds:
        raise Refused(status, reason)


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def check_provider_token(authorization, public_key):
    demand(authorization, 403, "MissingProviderToken")
    scheme, _, token = authorization.partition(" ")
    parts = token.split(".")
    demand(scheme == "bearer" and len(parts) == 3, 403, "InvalidProviderToken")
    header, claims, signature = (decode(part) for part in parts)
    header, claims = json.loads(header), json.loads(claims)
    is_named = len(header.get("kid", "")) == 10 and len(claims.get("iss", "")) == 10
    is_dated = type(claims.get("iat")) is int
    is_signed = header.get("alg") == "ES256" and len(signature) == 64
    demand(is_named and is_dated and is_signed, 403, "InvalidProviderToken")
    half = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    try:
        signed = ".".join(parts[:2]).encode()
        public_key.verify(utils.encode_dss_signature(*half), signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Refused(403, "InvalidProviderToken") from None
    demand(-60 < time.time() - claims["iat"] < TOKEN_AGE_MAX, 403, "ExpiredProviderToken")


def check_headers(headers, topic):
    demand(headers.get(":method") == "POST", 405, "MethodNotAllowed")
    path = headers.get(":path", "")
    demand(path.startswith("/3/device/"), 404, "BadPath")
    demand(re.fullmatch(r"/3/device/([0-9a-f]{2})+", path), 400, "BadDeviceToken")
    demand(headers.get("apns-push-type") == "liveactivity", 400, "InvalidPushType")
    demand("apns-topic" in headers, 400, "MissingTopic")
    demand(headers["apns-topic"] == topic, 400, "BadTopic")
    demand(headers.get("apns-priority", "10") in ("5", "10"), 400, "BadPriority")
    demand(UUID.fullmatch(headers.get("apns-id", "")), 400, "BadMessageId")
    demand(re.fullmatch(r"\d+", headers.get("apns-expiration", "0")), 400, "BadExpirationDate")
    # RFC 9113, section 8.2.2: nothing of a connection.
    demand(not {"connection", "keep-alive", "transfer-encoding"} & headers.keys(), 400, "Forbidden")


def check_payload(body):
    demand(body, 400, "PayloadEmpty")
    demand(len(body) <= PAYLOAD_BYTES_MAX, 413, "PayloadTooLarge")
    aps = json.loads(body)["aps"]
    demand(aps["event"] in ("update", "end"), 400, "BadEvent")
    sent = aps["timestamp"]
    demand(type(sent) is int and abs(time.time() - sent) < 60, 400, "BadTimestamp")
    state = aps["content-state"]
    demand(0 <= state["currentHealthLevel"] <= 1, 400, "BadHealth")
    demand(isinstance(state["eventDescription"], str), 400, "BadDescription")
    if "alert" in aps:
        demand(aps["alert"]["title"] and aps["alert"]["body"], 400, "BadAlert")
    demand("dismissal-date" not in aps or aps["event"] == "end", 400, "BadDismissalDate")


class Connection:
    """One client's connection: answers each request when it has come in whole."""

    def __init__(self, stream, public_key, topic):
        self.stream, self.public_key, self.topic = stream, public_key, topic
        self.h2 = h2.connection.H2Connection(
            config=h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests = {}

    def serve(self):
        self.h2.initiate_connection()
        self.send()
        while data := self.stream.recv(65536):
            for event in self.h2.receive_data(data):
                self.take(event)
            self.send()

    def send(self):
        self.stream.sendall(self.h2.data_to_send())

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.requests[event.stream_id] = (event.headers, bytearray())
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id][1].extend(event.data)
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            self.answer(event.stream_id, *self.requests.pop(event.stream_id))
        elif isinstance(event, h2.events.StreamReset):
            self.requests.pop(event.stream_id, None)

    def answer(self, stream, fields, body):
        headers = dict(fields)
        status, reason = 200, None
        try:
            demand(len(headers) == len(fields), 400, "DuplicateHeaders")
            check_headers(headers, self.topic)
            check_provider_token(headers.get("authorization"), self.public_key)
            check_payload(bytes(body))
        except Refused as refusal:
            status, reason = refusal.status, refusal.reason
        except (KeyError, ValueError, TypeError) as error:
            status, reason = 400, f"BadPayload {error!r}"
        answer = [(":status", str(status)), ("apns-id", headers.get("apns-id", ""))]
        self.h2.send_headers(stream, answer, end_stream=reason is None)
        if reason is not None:
            self.h2.send_data(stream, json.dumps({"reason": reason}).encode(), end_stream=True)
        headers.pop("authorization", None)
        print(json.dumps({"status": status, "reason": reason, "headers": headers,
                          "body": body.decode(errors="replace")}, ensure_ascii=False), flush=True)


def serve_one(context, raw, public_key, topic):
    try:
        with context.wrap_socket(raw, server_side=True) as stream:
            if stream.selected_alpn_protocol() == "h2":
                Connection(stream, public_key, topic).serve()
    except (OSError, h2.exceptions.ProtocolError) as error:
        print(f"a connection ended: {error!r}", file=sys.stderr, flush=True)


def main(certificate, key, public_key_file, topic):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    with open(public_key_file, "rb") as file:
        public_key = serialization.load_pem_public_key(file.read())
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"port {listener.getsockname()[1]}", flush=True)
    while True:
        raw, _ = listener.accept()
        threading.Thread(
            target=serve_one, args=(context, raw, public_key, topic), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
