"""Check the hashes and the signature of a log, but not the rules: `python check_proof.py FILE KEY`.

FILE is a game that was exported as `json`. KEY is the id of the key that signed it. docs/proofs.md describes the proof.
"""

import base64
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
kind, payload = log["proof"]["payloadType"].encode(), base64.b64decode(log["proof"]["payload"])
key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(sys.argv[2] + "="))
pae = b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)
key.verify(base64.b64decode(log["proof"]["signatures"][0]["sig"]), pae)
for event, signed in zip(log["events"], json.loads(payload)["hashes"], strict=True):
    del event["hash"]
    canonical = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == signed, event["seq"]
