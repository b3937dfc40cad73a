"""Options under which a match of random moves comes to an end soon."""

from msgspec.structs import replace

from letters.rules import Options


def short(options: Options) -> Options:
    """These options, with one or two favours to win."""
    return replace(options, favours=min(options.favours, 2))
