from tests.http.conftest import (  # noqa: F401
    api,
    brisk,
    document,
    make,
    stage,
    visitor,
    with_together,
)
