"""Tournaments and rematches of a fake week: who organises and plays them, and what they come to."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import to_builtins

from engine import entries as e
from engine.catalogue import GAMES
from engine.match import Match
from services import door, ledger, organise, ratings, rematch, tournaments
from services.pairing import DRAW, WIN, Game, alike_meet, standings
from services.problems import Problem
from services.tournaments import Tournament
from tests.chaos.fake_week import SECOND, Week
from tests.games.matches import hook, random_options

if TYPE_CHECKING:
    from tests.chaos.people import People
    from tests.chaos.told import Told

SOON = 900 * SECOND  # until what is known to be over is counted, whoever dies


class Contests:
    """What people of this week organise, and which matches follow others."""

    def __init__(self, people: People) -> None:
        self.people, self.week, self.chance = people, people.week, people.chance
        self.ids: list[str] = []
        self.again: dict[str, str] = {}  # by the match before
        self._started: set[str] = set()

    def plan(self, many: int, days: int) -> None:
        for i in range(many):
            self.people.at(self.chance.uniform(0, days * 0.3), partial(self.organise, i))

    def names(self) -> list[str]:
        """Their matches as far as they are offered, and all rematches."""
        every = [game.match for one in self.all() for games in one.played for game in games]
        offered = [name for name in every if name and self.week.server.ask(ledger.ends(name))[0]]
        return [*offered, *self.again.values()]

    def all(self) -> list[Tournament]:
        found = [self.week.server.ask(tournaments.read(id)) for id in self.ids]
        return [one for one in found if one is not None]

    # Tournaments

    def organise(self, i: int) -> None:
        game, by = list(GAMES.values())[i % len(GAMES)], self.chance.choice(self.people.names)
        options = random_options(game, self.chance)
        while 2 not in game.seats(options):
            options = random_options(game, self.chance)
        if brief := getattr(hook(game, "short"), "short", None):
            options = brief(options)
        kind, rounds = ("swiss", "round-robin")[i % 2], self.chance.choice((2, 3))
        policy, options = self.people.policy(), to_builtins(options)
        asked = organise.NewTournament(f"Cup {i}", game.NAME, kind, rounds, options, policy)
        request = partial(organise.organised, player=by, asked=asked)
        self.people.request(request, partial(self._organised, by))

    def _organised(self, by: str, made: Tournament | Problem) -> None:
        assert isinstance(made, Tournament), made.more
        self.ids.append(made.id)
        for one in self.chance.sample(self.people.names, self.chance.choice((2, 3, 3, 4))):
            self._later(made.id, tournaments.joined(one))
            if self.chance.random() < 0.05:
                self._later(made.id, tournaments.left(one))
        start = partial(organise.started, id=made.id, player=by)
        begun = partial(self._begun, made.id)
        self.week.after(7200, lambda: self.people.request(start, begun))

    def _later(self, id: str, change: tournaments.Change) -> None:
        request = partial(organise.changed, id=id, change=change)
        self.week.after(self.chance.random() * 7200, lambda: self.people.request(request))

    def _begun(self, id: str, answer: Tournament | Problem) -> None:
        if isinstance(answer, Tournament):
            self._started.add(id)

    # Rematches

    def see(self, name: str, match: Match) -> None:
        """Some who played want to play again."""
        for seat, holder in enumerate(match.holders):
            if holder.player in self.people.who and match.dealt:
                self.people.likely(0.04, (name, "again", seat), self.ask_again)

    def ask_again(self, mark: tuple) -> None:
        name, whose = mark[0], self.people.player(mark[0], mark[2])
        request = partial(rematch.offer_again, match=name, player=whose)
        self.people.request(request, partial(self._offered, mark))

    def _offered(self, mark: tuple, answer: tuple[str, door.Answer] | Problem) -> None:
        assert not isinstance(answer, Problem), answer.name
        new, given = answer
        assert self.again.setdefault(mark[0], new) == new, "two matches follow one"
        if isinstance(given, door.Waits):
            self.week.after(60, lambda: self.ask_again(mark))

    # What must hold

    def check(self, tolds: dict[str, Told]) -> Counter[str]:
        seen = Counter(f"tournament {one.status}" for one in self.all())
        for one in self.all():
            assert one.status != "open" or one.id not in self._started
            _check_pairs(one)
            for game in (game for games in one.played for game in games):
                _check_game(self.week, game, tolds.get(game.match))
            _check_end(one)
            _check_table(one)
        for before, after in self.again.items():
            _check_rematch(tolds[before], tolds[after])
        return seen + Counter(rematches=len(self.again))


def _check_pairs(one: Tournament) -> None:
    rounds = [[game.players for game in games] for games in one.played]
    if one.kind == "swiss":
        for i, pairs in enumerate(rounds):
            assert tuple(pairs) == alike_meet(one.players, one.played[:i])
    elif one.status != "open":
        met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if len(pair) == 2)
        assert met == Counter(map(frozenset, combinations(one.players, 2)))


def _check_game(week: Week, game: Game, told: Told | None) -> None:
    """It counts what its log comes to, once that may be known."""
    if not game.match:
        assert game.halves == (WIN,)
        return
    assert told is not None, f"{game.match} was never offered"
    last = told.last
    assert last.state is not None or last.over or all(map(last.guest, game.players))
    wanted = tournaments.halves_of(game.players, last)
    if game.halves is not None or (last.over and ratings.known_at(last) + SOON < week.now):
        assert game.halves == wanted, game.match
        _check_winner(game, last)


def _check_winner(game: Game, last: Match) -> None:
    """Where both played to the end the better place has won."""
    if last.outcome is None or any(holder.gone for holder in last.holders):
        return
    pairs = zip(last.holders, last.outcome.places, strict=True)
    places = {holder.player: place for holder, place in pairs}
    if set(game.players) <= places.keys():
        one, other = (places[player] for player in game.players)
        won = (one < other) - (one > other)
        assert game.halves == (DRAW + won, DRAW - won), game.match


def _check_end(one: Tournament) -> None:
    """Nothing but its matches keeps it from going on."""
    counted = all(game.halves is not None for games in one.played for game in games)
    assert one.status != "running" or not counted, one.id
    assert one.status != "over" or counted
    assert one.status != "over" or one.kind != "swiss" or len(one.played) == one.rounds


def _check_table(one: Tournament) -> None:
    points: Counter[str] = Counter()
    for game in (game for games in one.played for game in games):
        points.update(dict(zip(game.players, game.halves or (), strict=False)))
    table = standings(one.players, one.played)
    assert {row.player: 2 * row.points for row in table} == {p: points[p] for p in one.players}
    assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)


def _check_rematch(before: Told, after: Told) -> None:
    """The same again, for the same players alone."""
    was, offered = before.last.offered, after.last.offered
    assert before.last.over
    assert (was.game, was.options, was.seats) == (offered.game, offered.options, offered.seats)
    came = {one.player for one in after.entries if isinstance(one, e.Joined)}
    assert came <= {holder.player for holder in before.last.holders}
