"""Short remarks about a run that a user should read: blocked network, linked files, limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lossdoctor.sandbox.project import Copy, Project

NETWORK_WORDS = re.compile(
    r"gaierror|URLError|Name or service not known|Temporary failure in name resolution|Network is unreachable"
    r"|ConnectionError|NewConnectionError|MaxRetryError|ConnectError|OfflineModeIsEnabled|LocalEntryNotFoundError"
    r"|nodename nor servname|outgoing traffic has been disabled"
)
HOST = re.compile(r"(?:host=|https?://)['\"]?([A-Za-z0-9](?:[A-Za-z0-9.-]{1,100})\.[A-Za-z]{2,20})")
LISTED = 5


def notes_for(project: Project, copy: Copy, errors: str, network: bool) -> tuple[str, ...]:
    """Everything worth saying, in the order of use to the reader."""
    return (*_network(errors, network), *_linked(project, copy), *_loose(project))


def _network(errors: str, allowed: bool) -> Iterator[str]:
    if allowed or not NETWORK_WORDS.search(errors):
        return
    host = HOST.search(errors)
    what = f"the network ({host.group(1)})" if host else "the network"
    yield f"the script wanted {what}, which is blocked; allow_network=true (--allow-network) lets it through"


def _linked(project: Project, copy: Copy) -> Iterator[str]:
    """Large data; an environment inside the project is nobody's concern."""
    linked = [name for name in copy.linked if not (project.root / name / "pyvenv.cfg").is_file()]
    if linked:
        names = ", ".join(str(name) for name in linked[:LISTED])
        more = f" and {len(linked) - LISTED} more" if len(linked) > LISTED else ""
        yield f"too large to copy, so read-only for the script: {names}{more}"


def _loose(project: Project) -> Iterator[str]:
    if project.loose:
        yield f"{project.root} is a shared folder: the script saw only the files beside it, no sub-folders"


def limit_note(why: str) -> str:
    """Why an experiment was ended by us, in words."""
    return f"ended by lossdoctor: {why}"
