#!/bin/sh
# `turnfold` in the image. -P: a folder called `engine` where we are called is not ours.
exec /opt/venv/bin/python -P -m services.cli "$@"
