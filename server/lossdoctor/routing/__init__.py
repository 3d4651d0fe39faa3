"""The router: told facts, measured facts or plain words to the sheets that help, with reasons."""

from lossdoctor.routing.facts import Facts
from lossdoctor.routing.router import route

__all__ = ["Facts", "route"]
