"""People of a fake week: each dawdles, races clocks, leaves, comes back, votes or is away, a little
of each, as its character and the seed have it. They see what a look shows, and act through the
door as clients do: again, with the same key, if nobody answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import Seat
from engine.dice import Dice
from engine.match import DAY, Match, encode
from engine.robots import ROBOTS, greedy, stroll
from services import agreements, door, ledger, offers, roll, seats
from services.problems import Problem
from services.wire import Talk
from tests.chaos.contests import Contests
from tests.chaos.fake_week import HOUR, SECOND, Week
from tests.chaos.planners import Planners
from tests.engine.logs import entropy, player
from tests.games.matches import hook, random_offer

MANY = 12  # people
RACE = 2 * SECOND  # before and after a deadline, when racers move


class Character(NamedTuple):
    """How likely somebody does what, whenever it could."""

    slow: float  # takes much of its time
    race: float  # moves when its time is up
    forget: float  # lets it pass
    leave: float
    propose: float
    yes: float
    back: float  # returns to a seat that a robot has
    claim: float
    plan: float  # gives orders for later


def character(chance: Random) -> Character:
    kinds = (
        Character(0.1, 0.02, 0.01, 0.002, 0.03, 0.8, 0.9, 0.5, 0.3),
        Character(0.7, 0.05, 0.08, 0.002, 0.03, 0.6, 0.5, 0.2, 0.3),
        Character(0.1, 0.5, 0.02, 0.002, 0.03, 0.6, 0.9, 0.9, 0.1),
        Character(0.2, 0.05, 0.1, 0.05, 0.03, 0.3, 0.3, 0.5, 0.1),
        Character(0.1, 0.05, 0.05, 0.002, 0.2, 0.9, 0.9, 0.5, 0.2),
    )
    return chance.choice(kinds)


class People:
    """Who plays in this week, and what they are about to do."""

    def __init__(self, week: Week) -> None:
        self.week, self.chance = week, week.chance
        self.who = {player(n): character(self.chance) for n in range(MANY)}
        self.games: dict[str, str] = {}  # by match
        self.away: dict[str, list[tuple[int, int]]] = {one: [] for one in self.who}
        self.told: list[tuple[str, str, int]] = []  # moves that somebody was told are in: key, seq
        self._heard, self._planned, self._drawn = b"0", set(), 0
        self.contests, self.planners = Contests(self), Planners(self)

    @property
    def names(self) -> list[str]:
        return sorted(self.who)

    def plan(self, matches: int, contests: int, days: int) -> None:
        """When who will offer a match or a tournament, and be away."""
        for i, game in zip(range(matches), list(GAMES) * matches, strict=False):
            name = f"0-{chr(97 + i // 676)}{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}".ljust(
                18, "a"
            )
            self.games[name] = game
            self.at(self.chance.uniform(0, days * 0.7), partial(self.offer, name, i))
        self.contests.plan(contests, days)
        for one in self.names:
            self.week.server.ask(roll.add_player(one, "A name", 0))
            self.week.post.address(one)
        for one in self.chance.sample(self.names, MANY // 2):
            self.at(self.chance.uniform(0, days * 0.7), partial(self.travel, one))
        for hour in range(1, 24 * days, 4):  # what nobody brought up is seen now and then
            self.week.at(self.week.now + hour * HOUR, self.see)

    def at(self, days: float, do: Callable[[], None]) -> None:
        self.week.at(self.week.now + int(days * DAY), do)

    # Saying things

    def say(self, talk: Callable[[], Talk], then: Callable = lambda answer: None) -> None:
        """Until somebody answers."""
        self._try(lambda: self.week.say(talk()), then)

    def request(self, what: Callable, then: Callable = lambda answer: None) -> None:
        """Likewise of what an api does in several talks, or a Problem."""
        self._try(lambda: self.week.request(what), then)

    def _try(self, do: Callable[[], object], then: Callable) -> None:
        if self.week.calm:
            return
        answer = do()
        busy = isinstance(answer, Problem) and answer.name == "busy"
        if answer is None or busy or isinstance(answer, door.Waits):
            self.week.after(self.chance.choice((0.5, 3, 60)), lambda: self._try(do, then))
            return
        kind = answer.name if isinstance(answer, Problem) else type(answer).__name__
        self.week.counts[kind] += 1
        then(answer)
        self.see()

    def see(self) -> None:
        """Look at each match that something happened in, and plan what to do about it."""
        hints = self.week.server.ask(ledger.heard(0, self._heard, 1000, 0))
        if hints:
            self._heard = hints[-1][0]
        for name in dict.fromkeys(name for _, name, _ in hints):
            match = self.week.server.talk(door.newest(name))
            if match is not None:
                (self.contests.see if match.over else self._plan)(name, match)

    def _plan(self, name: str, match: Match) -> None:
        for seat, holder in enumerate(match.holders):
            who = self.who.get(holder.player or "")
            if who is None or holder.gone == "resigned":
                continue
            if holder.robot is not None:
                self.likely(who.back, (name, "back", seat, match.seq), self.come_back)
            elif seat in match.to_act:
                self._turn(name, match, seat, who)
            if match.vote is not None:
                mark = (name, "vote", match.vote.seq, seat)
                self.likely(1, mark, partial(self.answer, match.vote.seq, who.yes))
            if match.paused is not None:
                self.likely(0.7, (name, "resume", match.paused, seat), self.resume)
            late = any(one.late for other, one in enumerate(match.holders) if other != seat)
            if late:
                self.likely(who.claim, (name, "claim", seat, match.seq), self.claim)
        for guest in match.guests if match.state is None else ():
            self.likely(0.9, (name, "join", guest.player), self.accept)
        for seat, whom in match.promised:
            self.likely(0.8, (name, "sit", seat, whom), partial(self.come_back, whom=whom))

    def likely(self, chance: float, mark: tuple, do: Callable) -> None:
        """Do it later, once, if it comes to mind."""
        if mark in self._planned:
            return
        self._planned.add(mark)
        if self.chance.random() < chance:
            seconds = self.chance.choice((1, 600, 3 * 3600)) * self.chance.random()
            self.week.after(seconds, lambda: do(mark))

    # Moves

    def _turn(self, name: str, match: Match, seat: Seat, who: Character) -> None:
        since, due = match.holders[seat].since, match.deadline(seat)
        mark = (name, "turn", seat, since)
        if mark in self._planned:
            return
        self._planned.add(mark)
        do = partial(self.move, name, seat, since)
        if due is None:
            self.week.after(self.chance.choice((20, 600, 3600)) * self.chance.random(), do)
        elif (luck := self.chance.random()) < who.race:
            self.week.at(due + self.chance.randint(-RACE, RACE), do)
        elif luck < who.race + who.forget:
            self.week.at(due + self.chance.randrange(9 * HOUR), do)
        else:
            some = 0.9 if self.chance.random() < who.slow else 0.02
            left = due - self.week.now
            self.week.at(self.week.now + int(left * some * self.chance.random()), do)

    def move(self, name: str, seat: Seat, since: int) -> None:
        """What comes to mind at one's turn: a move, mostly."""
        match = self.week.server.talk(door.newest(name))
        holder = match.holders[seat]
        who = self.who.get(holder.player or "")
        if who is None or seat not in match.to_act or holder.since != since or holder.robot:
            return
        if self.chance.random() < who.leave:
            self.say(lambda: seats.resign(name, holder.player))
            return
        if self.chance.random() < who.propose:
            what = self.proposal(match)
            self.say(lambda: agreements.proposing(name, holder.player, what))
            if isinstance(what, e.Back):  # a move of its own would say that it is to go on
                self.week.after(3600, partial(self.move, name, seat, since))
                return
        sense = getattr(hook(match.game, "short"), "SENSE", 0)
        how = greedy if self.chance.random() < sense else stroll
        raw = encode(how(match.game, match.state, seat, Dice(self.chance.randbytes(32), 0)))
        if self.chance.random() < who.plan:
            self.planners.give(name, match, seat, raw)
            if self.chance.random() < 0.7:
                return
        self._drawn += 1
        key = door.hashed_key(str(self._drawn))
        play = partial(door.play, name, None, seat, raw, key, since, holder.player)
        self.say(play, lambda answer: self._entered(name, key, answer))

    def _entered(self, name: str, key: str, answer: object) -> None:
        if isinstance(answer, door.Entered | door.Repeated):
            self.told.append((name, key, answer.seq))

    # Agreements

    def proposal(self, match: Match) -> e.What:
        seat = self.chance.randrange(len(match.holders))
        whats: list[e.What] = [e.Pause(), e.Pause(), e.Pause(), e.End()]
        if self.chance.random() < 0.5 or not match.offered.policy.rated:  # those count for nobody
            whats += [e.Replace(seat, robot=self.chance.choice(sorted(ROBOTS)))]
            whats += [e.Replace(seat, player=self.chance.choice(self.names))]
        whats += [e.Back(to) for to, _ in match.past]
        return self.chance.choice(whats)

    def player(self, name: str, seat: Seat) -> str:
        return self.week.server.talk(door.newest(name)).holders[seat].player or ""

    def answer(self, to: int, yes: float, mark: tuple) -> None:
        says, whose = self.chance.random() < yes, self.player(mark[0], mark[3])
        self.say(lambda: agreements.answering(mark[0], whose, to, says))

    def resume(self, mark: tuple) -> None:
        whose = self.player(mark[0], mark[3])
        self.say(lambda: agreements.resuming(mark[0], whose))

    def claim(self, mark: tuple) -> None:
        whose = self.player(mark[0], mark[2])
        self.say(lambda: agreements.claiming(mark[0], whose))

    def come_back(self, mark: tuple, whom: str = "") -> None:
        whom = whom or self.player(mark[0], mark[2])
        self.say(lambda: agreements.returning(mark[0], whom))

    # Before the deal, and away from it

    def offer(self, name: str, i: int) -> None:
        offered = random_offer(GAMES[self.games[name]], i, self.chance)
        policy, secret = self.policy(), self.chance.randbytes(32).hex()
        some = (None,) if policy.rated else (*(None,) * 6, *sorted(ROBOTS))
        chairs = (None, *(self.chance.choice(some) for _ in offered.seats[1:]))
        offered = replace(offered, seats=chairs, policy=policy, secret=secret)
        self.say(lambda: offers.offer(name, offered))
        people = self.chance.sample(self.names, min(len(chairs), MANY))
        for one in people[: len(people) - (self.chance.random() < 0.1)]:
            self.week.after(self.chance.random() * 7200, partial(self.join, name, one))

    def policy(self) -> e.Policy:
        pick, hour = self.chance.choice, 3600
        per_move = e.PerMove(pick((600, hour, 6 * hour)))
        bank = e.Bank(pick((hour, 12 * hour)), pick((60, 600)), 24 * hour)
        expiry = pick(("default", "greedy", "claim", "claim", e.UNSET, e.UNSET))
        leave = pick(("end", "random", "random"))
        away = {"rest": pick(((), (2,), (5, 6))), "vacation": pick((e.UNSET, e.UNSET, 0, 1))}
        clock, fill = pick((per_move, per_move, bank, bank, None)), 6 * hour
        if clock is per_move and expiry in ("default", "greedy"):
            away["absent"] = pick((e.UNSET, e.Absent(2, 300)))
        return e.Policy(clock, fill, leave, rated=pick((True, True, False)), expiry=expiry, **away)

    def accept(self, mark: tuple) -> None:
        self.join(mark[0], mark[2])

    def join(self, name: str, one: str) -> None:
        self.say(lambda: seats.join(name, one, None, entropy(self._drawn)))
        if self.chance.random() < 0.03:
            self.week.after(60, lambda: self.say(lambda: door.enter(name, self._left(one))))

    def _left(self, one: str) -> Callable:
        return lambda match: e.Left(next((h.chair for h in match.holders if h.player == one), 0))

    def travel(self, one: str) -> None:
        """From now on."""
        now = self.week.now
        until = now + int(self.chance.uniform(0.2, 2) * DAY)
        tell = lambda _: self.away[one].append((self.week.now, until))  # noqa: E731
        self.say(lambda: roll.vacation(one, now, until, 0), tell)
