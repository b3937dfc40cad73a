"""deploy/monitoring asks for what /metrics tells, and docs/runbook.md says what to do about it."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations

import httpx
import pytest
import yaml
from msgspec import json
from prometheus_client.parser import text_string_to_metric_families

from tests.http.people import Player
from tests.http.stage import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
SCRAPE = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
RULES = [
    r for g in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for r in g["rules"]
]
BOARD = json.decode((FOLDER / "grafana.json").read_bytes())
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
ASKED = [rule["expr"] for rule in RULES]
ASKED += [target["expr"] for panel in PANELS for target in panel["targets"]]
FUNCTIONS = {"absent", "delta", "histogram_quantile", "increase", "max", "min", "rate", "sum"}
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text()
SAYS = ["What it means", "How to see it", "What to do", "What is lost"]


@pytest.fixture(scope="module")
def told(api, document) -> dict[str, set[str]]:
    """The labels of each metric that an api tells of, after a move."""
    with Player(api, document.hear) as ann, Player(api, document.hear) as bob:
        match = ann.offer()
        bob.join(match)
        look = ann.look(match)
        mover = ann if look["viewer"] in look["to_act"] else bob
        assert mover.play(match, {"type": "keep"}, look["seq"]).status_code == 201
    found: dict[str, set[str]] = defaultdict(set, {"up": {"job", "instance"}})
    for family in text_string_to_metric_families(httpx.get(f"{api}/metrics").text):
        for sample in family.samples:
            found[sample.name] |= {"job", "instance", *sample.labels}
    return found


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_asked_for_is_told(told, asked):
    for name, inner in re.findall(r"(\w+)\{(.*?)\}(?=[\[)\s]|$)", asked):
        assert set(re.findall(r'(\w+)\s*(?:=|!=|=~|!~)"', inner)) <= told[name], asked
    for labels, metric in re.findall(r"by \(([\w, ]+)\) \(.*?(turnfold_\w+)", asked):
        assert set(labels.split(", ")) <= told[metric], asked
    bare = re.sub(r"by \([\w, ]+\)|\{.*?\}(?=[\[)\s]|$)|\[\w+\]", " ", asked)
    names = set(re.findall(r"[a-z_]\w*", bare)) - {*FUNCTIONS, "by", "or"}
    assert names
    assert names <= told.keys()
    assert bare.count("(") == bare.count(")")


def test_what_is_told_is_watched_somewhere(told):
    """Each of our metrics is in an alert or on the dashboard."""
    asked, ours = (
        {re.sub("_(bucket|sum|count)$", "", name) for name in names if name.startswith("turnfold_")}
        for names in (re.findall(r"\w+", " ".join(ASKED)), told)
    )
    unasked = {name for name in ours - asked if not name.endswith("_created")}
    assert unasked == {"turnfold_info", "turnfold_uptime_seconds"}


def test_the_rules_are_complete():
    assert len({rule["alert"] for rule in RULES}) == len(RULES) > 15
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "runbook"}
        for label in re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]):
            assert label == "instance" or re.search(rf"by \([^)]*{label}", rule["expr"])


def test_each_alert_has_its_page_in_the_runbook():
    parts = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", RUNBOOK, re.M | re.S))
    assert set(parts) == {rule["alert"] for rule in RULES}
    for rule in RULES:
        assert rule["annotations"]["runbook"] == f"docs/runbook.md#{rule['alert'].lower()}"
        found = re.findall(r"^- \*\*(.*?):\*\* \S", parts[rule["alert"]], re.M)
        assert found == SAYS, rule["alert"]


def test_prometheus_reads_the_rules_and_scrapes_us():
    assert [name for name in SCRAPE["rule_files"] if not (FOLDER / name).exists()] == []
    [job] = SCRAPE["scrape_configs"]
    assert (job["job_name"], job["metrics_path"]) == ("turnfold", "/metrics")


def test_no_panel_of_the_dashboard_hides_another():
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    places = [panel["gridPos"] for panel in BOARD["panels"]]
    assert all(at["x"] + at["w"] <= 24 for at in places)
    for a, b in combinations(places, 2):
        apart = a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
        assert apart or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
