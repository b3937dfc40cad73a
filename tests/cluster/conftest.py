"""Real servers for the tests of this folder, started when the first of them needs them."""

from __future__ import annotations

import pytest

from services.wire import BlockingWire
from tests.cluster.servers import Servers

NAMES = [f"{shard}-{'a' * 16}" for shard in range(12)]  # shards 0 to 11 lie on all three masters


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    with Servers(tmp_path_factory.mktemp("servers")) as servers:
        yield servers


@pytest.fixture(scope="session")
def nodes(servers):
    return servers.cluster(3, timeout=15_000)


@pytest.fixture(scope="session")
def url(nodes):
    return f"redis+cluster://{','.join(node.at for node in nodes)}"


@pytest.fixture
def wire(url, nodes):
    for node in nodes:
        node.say("FLUSHALL")
    wire = BlockingWire(url)
    yield wire
    wire.close()
