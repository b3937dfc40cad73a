"""Whatever OpenAPI allows and forbids is sent: no answer is a bug, every one is documented.

The requests are drawn from a seed; many more with TURNFOLD_LONG.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.http.people import Visitor, played, table

EACH = 200 if "TURNFOLD_LONG" in os.environ else 3  # requests of each operation and mode
SEED = 20261130
ENDLESS = "/feed"  # no answer would ever be whole


@pytest.fixture
def places(make) -> dict[str, Any]:
    """Players, and matches that are open, running and over."""
    running, seats = table(make)
    over, others = table(make)
    played(over, others, Random(SEED))
    matches = {"open": make().offer(), "running": running, "over": over}
    return {"players": [None, seats[0], seats[1]], **matches}


def test_no_answer_is_a_bug_or_undocumented(api, places):
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as some
    from schemathesis import GenerationMode, checks
    from schemathesis.specs.openapi import checks as of

    judged = [
        checks.not_a_server_error,
        of.status_code_conformance,
        of.content_type_conformance,
        of.response_schema_conformance,
        of.response_headers_conformance,
        of.negative_data_rejection,
    ]
    quietly = settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    wrong: list[str] = []
    statuses: Counter[int] = Counter()

    def ask(operation: Any, mode: GenerationMode) -> None:
        ends = operation.path.endswith("/feed")
        matches = ["over"] if ends else ["open", "running", "over"]

        @seed(SEED)
        @quietly
        @given(
            case=operation.as_strategy(generation_mode=mode),
            match=some.sampled_from([None, *(places[name] for name in matches)]),
            who=some.sampled_from(places["players"]),
        )
        def ask(case: Any, match: str | None, who: Visitor | None) -> None:
            if match and "match" in case.path_parameters:
                case.path_parameters["match"] = match
            if who is not None:
                case.headers["Authorization"] = f"Bearer {who.token}"
            answer = case.call(timeout=20)
            statuses[answer.status_code] += 1
            try:
                case.validate_response(answer, checks=judged)
            except BaseExceptionGroup as failures:
                wrong.extend(f"{operation.label} {mode.value}: {f}" for f in failures.exceptions)

        ask()

    for result in schemathesis.openapi.from_url(f"{api}/openapi.json").get_all_operations():
        operation = result.ok()
        if operation.path != ENDLESS:
            for mode in GenerationMode:
                if mode is GenerationMode.POSITIVE or operation.body or operation.query:
                    ask(operation, mode)
    assert wrong == []
    assert {200, 201, 401, 404, 409, 422} <= set(statuses)
