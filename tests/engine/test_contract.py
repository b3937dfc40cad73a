from engine.contract import OPEN, Outcome, Said, Told, because, hear, put, ranked

WATCHER = None


def test_who_is_named_hears_its_own_version_all_others_the_fact():
    told = Told("a card", to=((1, "the ace"), (2, None)))
    assert [told.heard_by(viewer) for viewer in (0, 1, 2, 3, WATCHER)] == [
        ("a card",),
        ("the ace",),
        (),
        ("a card",),
        ("a card",),
    ]


def test_none_is_nothing():
    told = Told(None, to=((1, "a whisper"),))
    assert [told.heard_by(viewer) for viewer in (0, 1, WATCHER)] == [(), ("a whisper",), ()]
    assert Told(None).heard_by(OPEN) == ()


def test_open_hears_each_different_version_those_to_seats_first():
    told = Told("a card", to=((2, "the ace"), (0, "the ace"), (1, "a king"), (3, None)))
    assert told.heard_by(OPEN) == ("the ace", "a king", "a card")
    assert Told("a card", to=((0, "a card"),)).heard_by(OPEN) == ("a card",)


def test_seat_0_is_no_watcher():
    assert Told(None, to=((0, "yours"),)).heard_by(WATCHER) == ()


def test_hear_gives_what_is_returned_and_what_was_told():
    def play():
        yield Told(1)
        yield Told(2)
        return "state"

    assert hear(play()) == ("state", (Told(1), Told(2)))


def test_ranked():
    assert ranked((3, 9, 3), "points") == Outcome((2, 1, 2), (3, 9, 3), "points")
    assert ranked((3, 3), "points", best=((3, 1), (3, 2))).places == (2, 1)


def test_put():
    assert [put((1, 2, 3), i, 0) for i in range(3)] == [(0, 2, 3), (1, 0, 3), (1, 2, 0)]


def test_said_fills_seats_with_their_names_and_the_rest_as_it_is():
    said = Said("{seat} gives {seat1} {n}.", {"seat": 1, "seat1": 0, "n": 1})
    assert said.sentence(["Ann", "Bob"]) == "Bob gives Ann 1."


class Backwards:
    """A tongue that knows two templates and a plural."""

    def gettext(self, message: str, /) -> str:
        return {"{seats} meet {who}.": "{who}: {seats}!", "a {kind}": "1 {kind}"}[message]

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        return f"{n}: {{count}} × {one if n == 1 else many}"


def test_said_is_said_in_another_tongue_to_its_last_part():
    kinds = tuple(Said("a {kind}", {"kind": kind}) for kind in ("dog", "frog"))
    said = Said("{seats} meet {who}.", {"seats": (1, 0), "who": kinds})
    assert said.sentence(["Ann", "Bob"]) == "Bob, Ann meet a dog, a frog."
    assert said.sentence(["Ann", "Bob"], Backwards()) == "1 dog, 1 frog: Bob, Ann!"


def test_said_is_one_or_many_by_its_count():
    said = [Said("{count} dog", {"count": n}, "{count} dogs") for n in (0, 1, 2)]
    assert [one.sentence(()) for one in said] == ["0 dogs", "1 dog", "2 dogs"]
    assert said[2].sentence((), Backwards()) == "2: 2 × 2 dogs"


def test_a_number_in_a_why_is_a_count():
    assert because("500 points") == Said("{count} points", {"count": 500})
    assert because("highest total") == Said("highest total")
