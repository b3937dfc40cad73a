#!/bin/sh
# Pin every dependency, by hash, for every platform; no address of any registry is written.
set -eu
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools/venv"
"$tools/venv/bin/pip" install --quiet uv
"$tools/venv/bin/uv" pip compile --quiet --generate-hashes --no-header --universal --no-annotate \
    --no-emit-index-url --no-emit-find-links --python-version 3.11 --extra dev \
    --output-file deploy/lock.txt pyproject.toml
