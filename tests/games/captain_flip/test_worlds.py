"""What a robot that searches expects of a board that is not yet full."""

from __future__ import annotations

import pytest

from engine.games import captain_flip

from .positions import position

BOTH = "board A; seats 2; first 1; active 1; coins 9 9; map {map}\np1 {one}\np2 {other}\nbag end"


def ahead(one: str, other: str = "- / - / - / - / -", map: str = "-") -> int:
    """How far seat 0 is before seat 1, in hundredths of a coin."""
    first, second = captain_flip.prospects(position(BOTH.format(map=map, one=one, other=other)))
    return first - second


LONE = "- / - / Gk / - / -"


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("- / - / Gk Gk / - / -", LONE),  # a second Gunner
        (LONE, "- / - / Kg / - / -"),  # a Gunner with a whole board to come
        ("- / - / Gk Gk Gk / - / -", "- / - / Gk Gk / - / -"),  # a third loses
        ("- / - / Sl Sl / - / -", "- / Sl / Sl / - / -"),  # more for each column
    ],
)
def test_it_fears_gunners_and_likes_columns_of_swabbies(worse: str, better: str) -> None:
    assert ahead(worse) < ahead(better)


def test_the_map_is_worth_less_towards_the_end() -> None:
    early, late = "- / - / Kp / - / -", "Kp Kp / Kp Kp Kp / - / Kp Kp / Kp Kp"
    rises = [ahead(one, one, map="1") - ahead(one, one) for one in (early, late)]
    assert rises[0] > rises[1] > 0


def test_a_lookout_counts_in_full_only_where_its_column_is_full() -> None:
    high, open_ = "Kp Lk / - / - / - / -", "Lk / Kp / - / - / -"
    assert ahead(high) > ahead(open_)
