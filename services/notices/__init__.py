"""Notices: what players want to be told of while they are away, and how it reaches them."""
