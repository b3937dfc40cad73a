"""The vectors of docs/format.md: what another implementation must find too."""

from hmac import digest as hmac

from msgspec import Raw, json

from engine import entries as e
from engine.dice import Dice
from engine.fold import step
from engine.match import Accepted, Line, Refused, chained, commitment, seed_of
from tests.engine.logs import SECRET, START, dealt, joined, lines, offered, played, told

SEED = bytes.fromhex("7a6349fb5d127a1652bbd43ff0b56d39635198b15eefd596c91955814ba1ca11")
DIGEST = bytes.fromhex("851ed7b5bf9598df0f2edf3f407f72dee6aeb4571436a6c1b25820260b22c28e")
LEFT = b'{"type":"left","seat":0}'


def test_commitment():
    vector = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(offered()) == vector


def test_seed():
    assert hmac(bytes(range(32)), b'seed["' + b"a" * 64 + b'",null]', "sha256") == SEED
    entry = e.Joined(0, "a" * 16, "a" * 64)
    match = told(offered(None, "random", order="shuffled"), entry)[-1][0]
    assert match.seed == seed_of(match) == SEED


def test_digest_and_head():
    assert chained(bytes(32), 1, Line(START, LEFT)) == DIGEST
    match, _ = told(offered())[0]
    sealed = type(match)(match.offered, match.options, START, match.holders, digest=DIGEST)
    assert sealed.head == "c9fe47507d20a7dbf4bd8b8d73451e165af463cbabad5f086ca948bd64a4d4c1"


def test_dice():
    dice = Dice(SEED, 0)
    drawn = " ".join(f"{dice.draw():016x}" for _ in range(5))
    assert drawn == (
        "6c0e1162e7b4c97b 2641ebbdbc103717 486a97c0616c8919 16e8c203cf1077d8 3b4c90d85a90adf9"
    )
    dice = Dice(SEED, 0)
    assert [dice.below(6) for _ in range(8)] == [3, 5, 3, 4, 5, 4, 2, 2]
    assert Dice(SEED, 0).shuffled(range(10)) == (3, 4, 8, 0, 9, 5, 6, 1, 2, 7)
    assert Dice(SEED, 1).shuffled(range(10)) == (0, 1, 5, 8, 9, 4, 7, 3, 2, 6)


def test_the_digest_covers_every_entry_with_its_time_refused_ones_too():
    log = lines(*dealt(), played(1, "keep"), played(0, "keep"))
    digest = bytes(32)
    for seq, (line, (match, verdict)) in enumerate(zip(log, told(*map(read, log)), strict=True), 1):
        digest = chained(digest, seq, line)
        assert match.digest == digest
        assert match.seq == seq
        assert isinstance(verdict, Refused) == (seq == 4)
    other = Line(log[3].at + 1, log[3].raw)
    assert step(None, log[0])[0].digest != step(None, Line(START + 1, log[0].raw))[0].digest
    assert chained(digest, 4, log[3]) != chained(digest, 4, other)


def read(line):
    return e.decode(line.raw)


def test_entries_are_written_as_the_format_says():
    offer = offered(
        None, "greedy", clock={"type": "move", "seconds": 60}, late={"type": "entries", "n": 2}
    )
    assert json.encode(offer).decode() == (
        '{"type":"offered","format":1,"game":"high-card","rules":1,"options":{"cards":52},'
        '"by":null,"seats":[null,"greedy"],"policy":{"clock":{"type":"move","seconds":60},'
        '"fill":604800,"leave":"end","order":"joined","watchers":"public",'
        '"late":{"type":"entries","n":2},"listed":true,"rated":false},'
        f'"secret":"{SECRET}"}}'
    )
    raws = [
        b'{"type":"joined","seat":0,"player":"%s","entropy":"%s"}' % (b"a" * 16, b"0" * 64),
        LEFT,
        b'{"type":"played","seat":1,"move":{"type":"keep"},"key":null}',
        b'{"type":"played","seat":1,"move":{"type":"keep"},"key":"%s"}' % (b"f" * 32),
        b'{"type":"resigned","seat":2}',
        b'{"type":"expired","seat":2}',
        b'{"type":"invited","seat":null,"player":"%s"}' % (b"a" * 16),
        b'{"type":"invited","seat":1,"player":"%s"}' % (b"a" * 16),
        b'{"type":"uninvited","seat":null,"player":"%s"}' % (b"a" * 16),
        b'{"type":"admitted","seat":1,"player":"%s"}' % (b"a" * 16),
        b'{"type":"stopped","since":1700000060000,"until":1700003660000,"why":"downtime"}',
        b'{"type":"branched","parent":"0-%s","seq":5,"seat":1,"player":"%s","robots":"greedy"}'
        % (b"b" * 16, b"a" * 16),
        *(
            b'{"type":"aborted","why":"%s"}' % why
            for why in (b"withdrawn", b"unfilled", b"too-long", b"operator")
        ),
    ]
    assert [e.encode(e.decode(raw)) for raw in raws] == raws


def test_a_policy_says_who_can_join_only_if_not_everybody_can():
    offer = offered(join="invited")
    assert json.encode(offer).endswith(
        b'"rated":false,"join":"invited"},"secret":"%s"}' % SECRET.encode()
    )
    assert b'"join"' not in json.encode(offered())


def test_verdicts_are_written_as_the_format_says():
    verdicts = [verdict for _, verdict in told(*dealt(), played(1, "keep"), played(0, "keep"))]
    assert json.encode(verdicts[3]).decode() == (
        '{"type":"refused","code":"NOT_YOUR_TURN","rule":"H2","says":"It is another seat\'s turn."}'
    )
    assert json.encode(verdicts[4]) == (
        b'{"type":"accepted","told":[{"fact":{"type":"kept","seat":0},"to":[]}]}'
    )
    tags = [json.decode(json.encode(t.fact))["type"] for v in verdicts[:3] for t in v.told]
    assert tags == ["match.offered", "match.joined", "match.joined", "match.dealt", *["dealt"] * 2]


def test_what_the_fold_tells_has_no_secret_in_it():
    _, verdict = told(offered())[0]
    assert isinstance(verdict, Accepted)
    raw = json.encode(verdict)
    assert SECRET.encode() not in raw
    assert commitment(offered()).encode() in raw
    assert b"entropy" not in json.encode(told(offered(), joined(0))[1][1])


def test_the_seed_takes_entropies_by_chair_whatever_the_order_of_joining_or_of_seats():
    one = told(offered(None, None, order="shuffled"), joined(0), joined(1))[-1][0]
    two = told(offered(None, None, order="joined"), joined(1), joined(0))[-1][0]
    assert one.seed == two.seed
    assert Raw(json.encode(one.options)) == one.offered.options
