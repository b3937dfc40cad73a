import pytest

from services import roll
from services.wire import converse

AT = 5


@pytest.fixture
def ann(server):
    server.ask(roll.add_player("ann", "Ann ü", AT))
    return "ann"


def give(server, token, player="ann", name="phone", at=AT, most=3):
    return converse(roll.give(token, player, name, at, most), server.ask)


def revoke(server, player, id):
    return converse(roll.revoke(player, id), server.ask)


def keys(server):
    of_players = (b"player:", b"token:", b"tokens:")
    return sorted(key for key in server.run("KEYS", "*") if key.startswith(of_players))


def test_a_player_has_a_name_and_tokens(server, ann):
    assert server.ask(roll.player_name("bob")) is None
    assert server.ask(roll.player_name(ann)) == "Ann ü"
    phone, laptop = give(server, "one"), give(server, "two", name="laptop", at=4)
    assert server.ask(roll.player_of("one")) == server.ask(roll.player_of("two")) == ann
    assert server.ask(roll.player_of("three")) is None
    assert server.ask(roll.tokens(ann)) == [laptop, phone]
    assert (phone.id, phone.name, phone.at) == (roll.hashed("one"), "phone", AT)


def test_a_token_is_not_kept_itself(server, ann):
    token = roll.new_token()
    give(server, token)
    assert token.startswith("tf_")
    kept = [key + repr(server.run("TYPE", key)).encode() for key in server.run("KEYS", "*")]
    kept += [repr(server.run("HGETALL", b"tokens:ann")).encode()]
    assert not any(token[3:].encode() in one for one in kept)


def test_a_revoked_token_is_gone_and_told_of(server, ann):
    made, other = give(server, "one"), give(server, "two")
    before = server.ask(roll.last_revoked())
    assert revoke(server, "bob", made.id) is False
    assert server.ask(roll.player_of("one")) == ann
    assert revoke(server, ann, made.id) is True
    assert server.ask(roll.player_of("one")) is None
    assert server.ask(roll.tokens(ann)) == [other]
    assert [player for _, player in server.ask(roll.revoked(before, 1))] == [ann]
    assert revoke(server, ann, made.id) is False


def test_there_are_only_so_many_tokens(server, ann):
    assert all(give(server, token) for token in ("one", "two", "three"))
    assert give(server, "four") is None
    assert server.ask(roll.player_of("four")) is None
    assert len(server.ask(roll.tokens(ann))) == 3
    assert give(server, "four", most=0)


def test_a_deleted_player_leaves_nothing(server, ann):
    server.ask(roll.add_player("bob", "Bob", AT))
    give(server, "his", "bob")
    his = [b"player:bob", b"token:" + roll.hashed("his").encode(), b"tokens:bob"]
    for token in ("one", "two"):
        give(server, token)
    assert converse(roll.delete_player(ann), server.ask) is True
    assert keys(server) == sorted(his)
    assert [player for _, player in server.ask(roll.revoked(b"0-0", 1))] == [ann]
    assert converse(roll.delete_player(ann), server.ask) is False


@pytest.mark.parametrize("steps", range(1, 6))
def test_a_token_that_is_added_while_its_player_is_deleted_goes_too(server, ann, steps):
    """Wherever the deletion comes in between."""
    asked = 0

    def ask(one):
        nonlocal asked
        if asked == steps:
            converse(roll.delete_player(ann), server.ask)
        asked += 1
        return server.ask(one)

    converse(roll.give("one", ann, "phone", AT, 3), ask)
    if asked <= steps:
        converse(roll.delete_player(ann), server.ask)
    assert keys(server) == []


@pytest.mark.parametrize("steps", range(4))
def test_a_revocation_that_broke_off_can_be_done_again(server, ann, steps):
    made, left = give(server, "one"), steps

    def ask(one):
        nonlocal left
        left -= 1
        if left < 0:
            raise TimeoutError
        return server.ask(one)

    with pytest.raises(TimeoutError):
        converse(roll.revoke(ann, made.id), ask)
    assert [one.id for one in server.ask(roll.tokens(ann))] == [made.id]
    assert revoke(server, ann, made.id) is True
    assert server.ask(roll.player_of("one")) is None
    assert server.ask(roll.revoked(b"0-0", 1))
