"""Somebody's own servers, as processes: one that takes webhooks over https, one that takes mail.

`python -m tests.notices.receiver web|mail PEM FILE` says its port, then writes a line of JSON for
all that comes to the file. What comes to /broken is answered 500, to /gone 410, to /slow
for the first time not at all; whoever sends mail is told to begin TLS.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from base64 import b64encode
from pathlib import Path

STATUS = {"/broken": 500, "/gone": 410, "/elsewhere": 307}
seen = set[str]()  # ids that have come to /slow


async def web(read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
    head = (await read.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    path = head[0].split(" ")[1]
    headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    plain = dict(line.split(": ", 1) for line in head[1:] if line)
    body = await read.readexactly(int(headers["content-length"]))
    tell(path=path, headers={k.lower(): v for k, v in plain.items()}, body=text(body))
    if path == "/slow" and headers["webhook-id"] not in seen:
        seen.add(headers["webhook-id"])
        await asyncio.sleep(60)
    status = STATUS.get(path, 204)
    write.write(b"HTTP/1.1 %d x\r\nLocation: /hook\r\nContent-Length: 0\r\n\r\n" % status)
    write.close()


async def mail(read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
    safe = False
    write.write(b"220 localhost\r\n")
    while line := (await read.readline()).strip().upper():
        verb = line.split(b" ")[0]
        if verb == b"EHLO":
            write.write(b"250 localhost\r\n" if safe else b"250-localhost\r\n250 STARTTLS\r\n")
        elif verb == b"STARTTLS":
            write.write(b"220 go\r\n")
            await write.drain()
            await write.start_tls(context)
            safe = True
        elif verb == b"DATA":
            write.write(b"354 go\r\n")
            said = await read.readuntil(b"\r\n.\r\n")
            tell(safe=safe, body=text(said.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")))
            write.write(b"250 ok\r\n")
        elif verb == b"QUIT":
            write.write(b"221 bye\r\n")
            return write.close()
        else:
            write.write(b"250 ok\r\n")
    return write.close()


def text(raw: bytes) -> str:
    return b64encode(raw).decode()


def tell(**what: object) -> None:
    with file.open("a") as lines:
        lines.write(json.dumps(what) + "\n")


async def main(what: str) -> None:
    take, tls = (web, context) if what == "web" else (mail, None)
    server = await asyncio.start_server(take, "127.0.0.1", 0, ssl=tls)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(sys.argv[2])
    file = Path(sys.argv[3])
    asyncio.run(main(sys.argv[1]))
