"""Mail: a notice as plain text, by SMTP, with a link that ends such mails."""

from __future__ import annotations

import smtplib
import ssl
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

from services.notices.outside import Failed
from services.web.tongues import _

PATIENCE = 15.0  # seconds for each step
PORTS = {"smtp": 587, "smtps": 465}


def message(to: str, sender: str, id: str, site: str, head: str, text: str) -> EmailMessage:
    """A mail of ours; the same `id` is the same mail."""
    made = EmailMessage()
    made["From"], made["To"] = _address(sender), _address(to)
    made["Subject"] = head
    made["Date"] = format_datetime(datetime.now(UTC))
    made["Message-ID"] = f"<{id}@{urlsplit(site).hostname or 'turnfold'}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(text)
    return made


def of_notice(
    to: str, sender: str, id: str, site: str, match: str, head: str, body: str, end: str
) -> EmailMessage:
    """`end` is what opens the channel, to end it."""
    stop = f"{site}/unsubscribe?key={end}"
    no_more = _("No more mails like this:")
    text = f"{body}\n\n{site}/table/{match}\n\n-- \n{no_more}\n{stop}\n"
    made = message(to, sender, id, site, head, text)
    made["List-Unsubscribe"] = f"<{stop}>"
    made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return made


def of_code(to: str, sender: str, id: str, site: str, code: str) -> EmailMessage:
    """Whoever reads this can confirm that the address is theirs."""
    head = _("Your code: {code}", code=code)
    says = _(
        "Somebody wants mails about matches sent to this address. If it was you, type the code:"
    )
    others = _("If it was not you, do nothing: no more mails will come.")
    text = f"{says}\n\n{code}\n\n{site}/me\n\n{others}\n"
    return message(to, sender, id, site, head, text)


def deliver(url: str, made: EmailMessage) -> None:
    """Hand it to the server at smtp://user:password@host:port; Failed unless it took it."""
    at = urlsplit(url)
    host, port = at.hostname or "127.0.0.1", at.port or PORTS[at.scheme]
    try:
        context = ssl.create_default_context()
        if at.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
        else:
            server = smtplib.SMTP(host, port, timeout=PATIENCE)
        with server:
            server.ehlo()
            if at.scheme == "smtp" and (at.password or server.has_extn("starttls")):
                server.starttls(context=context)
            if at.password:
                server.login(unquote(at.username or ""), unquote(at.password))
            server.send_message(made)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise Failed(f"{type(error).__name__}: {error}"[:300]) from error


def _address(text: str) -> Address | str:
    return Address(addr_spec=text) if "<" not in text else text
