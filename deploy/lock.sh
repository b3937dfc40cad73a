#!/bin/sh
# Pin every dependency, by hash, for every platform; no address of any registry is written.
# lock.txt is for a checkout, tests and all; lock-run.txt, the same pins, for what only runs.
set -eu
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools/venv"
"$tools/venv/bin/pip" install --quiet uv
pin() {
    "$tools/venv/bin/uv" pip compile --quiet --generate-hashes --no-header --universal --no-annotate \
        --no-emit-index-url --no-emit-find-links --python-version 3.11 "$@" pyproject.toml
}
pin --extra dev --output-file deploy/lock.txt
pin --constraint deploy/lock.txt --output-file deploy/lock-run.txt
