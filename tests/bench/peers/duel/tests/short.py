"""Duels that are over soon."""

from tests.bench.peers.duel.rules import Options


def short(options: Options) -> Options:
    return Options(1 + options.rounds % 5)
