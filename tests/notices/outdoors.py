"""Webhooks and mail of somebody else, for tests: a certificate, processes, what came to them."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from base64 import b64decode
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

ROOT = Path(__file__).parents[2]


def certificate(path: Path) -> Path:
    """One for `localhost`, which vouches for itself; with its key, in a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(made.public_bytes(Encoding.PEM) + secret)
    return path


class Receiver:
    """A process that takes what is sent to it: `web` or `mail`."""

    def __init__(self, what: str, pem: Path, file: Path) -> None:
        words = ["services.leash", "tests.notices.receiver", what, str(pem), str(file)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.port, self.file = int(self.process.stdout.readline()), file

    def got(self) -> list[dict[str, Any]]:
        """All that has come, its bodies decoded."""
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        found = [json.loads(line) for line in lines]
        return [one | {"body": b64decode(one["body"])} for one in found]

    def to(self, path: str) -> list[dict[str, Any]]:
        return [one for one in self.got() if one["path"] == path]

    def mails(self) -> list[Any]:
        return [message_from_bytes(one["body"], policy=policy.default) for one in self.got()]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
