"""The commands for operators; `services/cli.py` has those that start, play and check."""
