"""Peers: what others have built for the same purpose, beside ours; `run` is the part."""
