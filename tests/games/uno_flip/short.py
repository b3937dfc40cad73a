"""Options under which a match of random moves comes to an end soon.

Random robots draw in half of their turns, so that a round goes on until all cards are in hands
and it is blocked; that scores nothing where the seat that goes out has the points.
"""

from msgspec.structs import replace

from engine.games.uno_flip import Options

SENSE = 0.9  # with more chance wrong catches, where they cost cards, fill hands as plays empty them


def short(options: Options) -> Options:
    """These options, with a match of one or two rounds."""
    if options.scoring == "low" and options.target != "round":
        return replace(options, target=min(options.target, 500))
    return replace(options, target="round")
