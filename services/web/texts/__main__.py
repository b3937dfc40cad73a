"""Keeps the catalogues: adds what is new to each, drops what nobody says any more, and counts what
is not translated yet.

    python -m services.web.texts
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from services.web import tongues
from services.web.texts.listed import listed
from services.web.texts.modules import Text

LOCALES = Path(tongues.__file__).with_name("locales")


def kept(tongue: str, texts: list[Text]) -> int:
    """Writes the catalogue of a language; how many texts it lacks."""
    path = LOCALES / tongue / "LC_MESSAGES" / "turnfold.po"
    with path.open("rb") as po:
        old = read_po(po, tongue)
    new = Catalog(
        tongue,
        header_comment=old.header_comment,
        project="turnfold",
        version="1",
        creation_date=old.creation_date,
        revision_date=old.revision_date,
        msgid_bugs_address="",
        last_translator="Turnfold",
        language_team=tongues.TONGUES[tongue],
        fuzzy=False,
    )
    for one, many, where in texts:
        known = old.get(one)
        said = known.string if known and bool(known.pluralizable) is bool(many) else ""
        new.add((one, many) if many else one, said, [(where, 0)])
    with path.open("wb") as po:
        write_po(po, new, width=100, include_lineno=False)
    return sum(not all(forms(message)) for message in new if message.id)


def forms(message: Message) -> tuple[str, ...]:
    """What a text is in this language, be it one or of each number."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


if __name__ == "__main__":
    texts = listed()
    print(f"{len(texts)} texts")
    for tongue in tongues.TONGUES:
        if tongue != "en":
            print(f"{tongue}: {kept(tongue, texts)} not translated")
