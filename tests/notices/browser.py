"""What a browser and its push service do with what they get, worked out from the RFCs again."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def opened(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """The text of a message (RFC 8188, 8291)."""
    salt, size, theirs, record = body[:16], body[16:20], body[21 : 21 + body[20]], body[86:]
    assert body[20] == 65
    assert len(record) <= int.from_bytes(size)
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    info = b"WebPush: info\0" + point(key) + theirs
    shared = HKDF(hashes.SHA256(), 32, auth, info).derive(key.exchange(ec.ECDH(), peer))
    parts = ((b"aes128gcm", 16), (b"nonce", 12))
    secret, nonce = (
        HKDF(hashes.SHA256(), n, salt, b"Content-Encoding: " + what + b"\0").derive(shared)
        for what, n in parts
    )
    text = AESGCM(secret).decrypt(nonce, record, None)
    assert text.endswith(b"\2")
    return text[:-1]


def vouched(authorization: str, known: str) -> dict[str, Any]:
    """What is claimed by the holder of a key (RFC 8292); an exception if it is not its."""
    scheme, t, k = authorization.replace(",", "").split(" ")
    assert scheme == "vapid"
    assert k == f"k={known}"
    signed, _, signature = t.removeprefix("t=").rpartition(".")
    r, s = raw(signature)[:32], raw(signature)[32:]
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(known))
    der = encode_dss_signature(int.from_bytes(r), int.from_bytes(s))
    key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(raw(signed.partition(".")[2]))


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
