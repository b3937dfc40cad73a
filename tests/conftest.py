"""Python's collector, told that of all that is loaded and collected nothing is garbage: its walks
over it were an eighth of what the tests of the games take."""

import gc


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
