#!/usr/bin/env python3
"""Prints a provider token for APNs, made by Python's cryptography: nothing of it is ours.

usage: provider_token.py KEY.p8 KEY_ID TEAM_ID [AGE_SECONDS]
"""
import base64
import json
import sys
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def main(key_file, key_id, team_id, age="0"):
    with open(key_file, "rb") as file:
        key = serialization.load_pem_private_key(file.read(), password=None)
    parts = [
        {"alg": "ES256", "kid": key_id},
        {"iss": team_id, "iat": int(time.time()) - int(age)},
    ]
    signed = ".".join(encode(json.dumps(part).encode()) for part in parts)
    der = key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
    pair = utils.decode_dss_signature(der)
    print(f"{signed}.{encode(b''.join(half.to_bytes(32, 'big') for half in pair))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
