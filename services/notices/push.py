"""Web push: messages that only the browser can read (RFC 8291), from a house that push services
know by its key (VAPID, RFC 8292)."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import json

from services.notices import outbox
from services.notices.channels import Keys, Push
from services.notices.outside import post
from services.notices.webhook import accept
from services.wire import Talk

CURVE = ec.SECP256R1()
SIZE = 4096  # bytes of a record, of which there is one
LASTS = 86_400  # seconds for which a push service keeps what a browser has not fetched
VALID = 43_200  # seconds for which our signature is


def house_key() -> Talk[bytes]:
    """The private key of this house, made when it is first asked for."""
    if (yield outbox.vapid()) is None:
        yield outbox.keep_vapid(new_key())
    return (yield outbox.vapid())  # type: ignore[no-any-return]


def new_key() -> bytes:
    """A private key."""
    number: int = ec.generate_private_key(CURVE).private_numbers().private_value
    return number.to_bytes(32)


def public(key: bytes) -> str:
    """Its public half, as browsers take it."""
    return _text(_point(_private(key).public_key()))


def sealed(text: bytes, keys: Keys, own: bytes | None = None, salt: bytes | None = None) -> bytes:
    """The body of a message (aes128gcm); `own`, a private key, and `salt` are drawn for each."""
    private, salt = _private(own or new_key()), salt or os.urandom(16)
    theirs, ours = _bytes(keys.p256dh), _point(private.public_key())
    peer = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
    shared = private.exchange(ec.ECDH(), peer)
    secret = _derived(shared, _bytes(keys.auth), b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    record = AESGCM(key).encrypt(nonce, text + b"\2", None)
    return salt + SIZE.to_bytes(4) + bytes([len(ours)]) + ours + record


def voucher(key: bytes, endpoint: str, site: str, now: int) -> str:
    """What proves to the push service of this endpoint that it is us: for `Authorization`."""
    at = urlsplit(endpoint)
    claims = {"aud": f"{at.scheme}://{at.netloc}", "exp": now + VALID, "sub": site}
    parts = [json.encode({"typ": "JWT", "alg": "ES256"}), json.encode(claims)]
    signed = ".".join(map(_text, parts))
    r, s = decode_dss_signature(_private(key).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{signed}.{_text(r.to_bytes(32) + s.to_bytes(32))}"
    return f"vapid t={token}, k={public(key)}"


def deliver(to: Push, key: bytes, text: bytes, topic: str, site: str, now: int, near: bool) -> None:
    """Failed unless its push service took it; Gone if the browser is. `topic` replaces what came
    before under the same."""
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(LASTS),
        "Urgency": "normal",
        "Topic": topic,
        "Authorization": voucher(key, to.endpoint, site, now),
    }
    accept(post(to.endpoint, headers, sealed(text, to.keys), near), (404, 410))


def is_browser(keys: Keys) -> bool:
    """Are these keys with which something can be sealed?"""
    try:
        sealed(b"", keys)
    except ValueError:
        return False
    return len(_bytes(keys.auth)) == 16


def _private(key: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(key), CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, what: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, what).derive(secret)


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
