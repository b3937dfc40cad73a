"""deploy/ holds together: its files name what there is, and would be taken by who reads them.

No container is built or started here: Docker and Kubernetes are not asked.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
import typer
import yaml
from jsonschema_rs import Draft202012Validator
from msgspec import json

from services.cli import app
from services.settings import NAMES
from tests.commands.processes import ROOT

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = {
    f"{path.stem}: {one['kind']} {one['metadata']['name']}": one
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    if path.stem != "kustomization"
    for one in yaml.safe_load_all(path.read_text())
}
SCHEMAS = json.decode((ROOT / "tests" / "commands" / "kubernetes.json").read_bytes())
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text()
PARTS = {"api", "fold", "react", "jobs", "films", "notify"}  # what `turnfold serve` starts
KNOWN = {*NAMES.values(), "TURNFOLD_REDIS", "TURNFOLD_DATA", "TURNFOLD_SHARDS"}


def parsed(words: list[str]) -> bool:
    """Is this a command of ours, with options that it has?"""
    command: Any = typer.main.get_command(app)
    left = list(words)
    while left and hasattr(command, "commands") and not left[0].startswith("-"):
        command = command.commands.get(left.pop(0))
    has = {word for param in getattr(command, "params", ()) for word in param.opts} | {"--help"}
    return left != words and command is not None and {w for w in left if w[:2] == "--"} <= has


def test_what_is_no_command_is_found():
    assert parsed(["matches", "retry", "MATCH"])
    assert parsed(["api", "--host", "0.0.0.0"])
    assert not parsed(["apii"])
    assert not parsed(["matches", "retri"])
    assert not parsed([])
    assert not parsed(["api", "--hosts", "x"])


# The image


def steps(word: str) -> list[str]:
    return re.findall(rf"^{word} +(.*)", DOCKERFILE, re.M)


def test_the_image_copies_what_there_is():
    wanted = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    for step in steps("COPY"):
        *sources, _ = [word for word in step.split() if not word.startswith("--")]
        if "--from=" not in step:
            assert [s for s in sources if not (ROOT / s).exists() or f"!{s}" not in wanted] == []
    [script] = re.findall(r"^exec (\S+) -P -m (\S+)", (DEPLOY / "turnfold.sh").read_text(), re.M)
    assert script == ("/opt/venv/bin/python", "services.cli")


def test_the_image_runs_as_nobody_in_particular_what_there_is():
    assert steps("USER")[-1] == "10001:10001"
    assert len(steps("FROM")) == 2
    assert parsed(json.decode(steps("CMD")[-1]))
    assert json.decode(steps("ENTRYPOINT")[0]) == ["turnfold"]
    [probe] = re.findall(r"^HEALTHCHECK .*? CMD (.*)", DOCKERFILE, re.M)
    assert "/healthz" in json.decode(probe)[-1]
    compile(json.decode(probe)[-1], "probe", "exec")
    assert set(re.findall(r"TURNFOLD_\w+", " ".join(steps("ENV")))) <= KNOWN


def test_what_the_image_installs_is_what_is_tested():
    """Its lock has the same pins, by hash, of fewer packages, and names no place to get them."""
    run, all_ = ((DEPLOY / name).read_text() for name in ("lock-run.txt", "lock.txt"))
    pins = [set(re.findall(r"^(\S+==\S+)", text, re.M)) for text in (run, all_)]
    assert pins[0] < pins[1]
    assert not any(pin.startswith(("pytest", "mypy", "ruff")) for pin in pins[0])
    assert run.count("--hash=sha256:") >= len(pins[0])
    assert "://" not in run
    needed = re.findall(r'^    "([\w-]+)', _dependencies(), re.M)
    assert len(needed) > 20
    assert {name for name in needed if f"\n{name}==" not in f"\n{run}"} == set()


def _dependencies() -> str:
    text = (ROOT / "pyproject.toml").read_text()
    return text.partition("\ndependencies = [")[2].partition("\n]")[0]


# Compose


def test_compose_starts_what_serve_starts():
    services = COMPOSE["services"]
    assert set(services) == {*PARTS, "server"}
    for name in PARTS:
        one = services[name]
        assert one["command"][0] == name
        assert parsed(one["command"])
        assert (DEPLOY / one["build"]["context"] / one["build"]["dockerfile"]).exists()
        assert one["env_file"] == ".env"
        assert one["depends_on"] == {"server": {"condition": "service_healthy"}}
        assert (name == "api") == ("healthcheck" not in one)
    for volume in services["server"]["volumes"]:
        source = volume.partition(":")[0]
        assert (
            source in COMPOSE["volumes"] or source == "./secret.acl" or (DEPLOY / source).exists()
        )


def test_the_examples_of_secrets_fit_each_other():
    said = (DEPLOY / "example.env").read_text()
    assert set(re.findall(r"^(\w+)=", said, re.M)) <= KNOWN
    secrets = MANIFESTS["secret: Secret turnfold"]["stringData"]
    assert secrets["TURNFOLD_REDIS"] in said
    acl = (DEPLOY / "users.acl").read_text()
    assert MANIFESTS["secret: Secret server"]["stringData"]["users.acl"] == acl
    user, password = re.search(r"//(\w+):([\w-]+)@server:6379", said).groups()
    assert f"user {user} on >{password} " in acl


# Kubernetes


@pytest.mark.parametrize("name", MANIFESTS)
def test_kubernetes_knows_each_field_of_a_manifest(name):
    one = MANIFESTS[name]
    schema = SCHEMAS["kinds"][one["kind"]] | {"$defs": SCHEMAS["$defs"]}
    faults = Draft202012Validator(schema).iter_errors(one)
    assert [f"{fault.message} at {fault.instance_path}" for fault in faults] == []
    assert one["metadata"].get("namespace", one["metadata"]["name"]) == "turnfold"


def workloads() -> dict[str, dict]:
    kinds = ("Deployment", "StatefulSet")
    return {one["metadata"]["name"]: one for one in MANIFESTS.values() if one["kind"] in kinds}


def test_kubernetes_runs_what_serve_starts():
    assert set(workloads()) == {*PARTS, "server"}
    for name in PARTS:
        [container] = workloads()[name]["spec"]["template"]["spec"]["containers"]
        assert container["args"][0] == name
        assert parsed(container["args"])
        assert container["image"] == "turnfold"


@pytest.mark.parametrize("name", [*sorted(PARTS), "server"])
def test_a_pod_has_no_privilege_and_finds_what_it_mounts(name):
    spec = workloads()[name]["spec"]
    pod = spec["template"]["spec"]
    [container] = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert not container["securityContext"]["allowPrivilegeEscalation"]
    assert container["resources"]["limits"]["memory"]
    volumes = {one["name"] for one in pod["volumes"]}
    volumes |= {one["metadata"]["name"] for one in spec.get("volumeClaimTemplates", ())}
    assert {one["name"] for one in container["volumeMounts"]} == volumes
    selected = spec["selector"]["matchLabels"]
    assert selected.items() <= spec["template"]["metadata"]["labels"].items()
    for source in container.get("envFrom", ()):
        [(kind, named)] = source.items()
        assert f"{kind[:-3].lower()} {named['name']}" in {_short(one) for one in MANIFESTS.values()}


def _short(one: dict) -> str:
    return f"{one['kind'].lower()} {one['metadata']['name']}"


def test_the_api_is_probed_and_has_time_to_end():
    pod = workloads()["api"]["spec"]["template"]["spec"]
    [container] = pod["containers"]
    paths = {
        name: container[f"{name}Probe"]["httpGet"]["path"] for name in ("liveness", "readiness")
    }
    assert paths == {"liveness": "/healthz", "readiness": "/readyz"}
    [port] = container["ports"]
    assert port == {"name": "http", "containerPort": 8000}
    slept = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > slept + 3
    for name in PARTS - {"api"}:
        assert workloads()[name]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > 60


def test_services_and_budgets_select_pods_that_there_are():
    labels = [one["spec"]["template"]["metadata"]["labels"] for one in workloads().values()]
    for one in MANIFESTS.values():
        selector = one.get("spec", {}).get("selector") if one["kind"] == "Service" else None
        if one["kind"] == "PodDisruptionBudget":
            selector = one["spec"]["selector"]["matchLabels"]
        if one["kind"] == "NetworkPolicy":
            selector = one["spec"]["podSelector"]["matchLabels"]
        assert selector is None or any(selector.items() <= label.items() for label in labels)


def test_settings_and_files_of_kubernetes_are_ours():
    said = MANIFESTS["config: ConfigMap turnfold"]["data"]
    secret = MANIFESTS["secret: Secret turnfold"]["stringData"]
    assert {*said, *secret} <= KNOWN
    conf = MANIFESTS["config: ConfigMap server"]["data"]["redis.conf"]
    assert conf == (DEPLOY / "redis.conf").read_text()
    kustomization = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    there = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")}
    assert set(kustomization["resources"]) == there - {"kustomization.yaml"}


# The runbook


def test_the_runbook_names_commands_that_there_are():
    commands = re.findall(r"`turnfold\s([^`]+)`", RUNBOOK)
    assert len(commands) > 10
    assert [one for one in commands if not parsed(shlex.split(one))] == []
