"""Which isolation a run would get here, for those who must ask or tell before it starts."""

from __future__ import annotations

import os

from ..model import Isolation

FORCED = "LOSSDOCTOR_ISOLATION"  # the sandbox's variable for tests and troubleshooting


def isolation_here() -> Isolation | None:
    """The best rung that works on this machine, None if none does; starts trial processes the first time."""
    from ..sandbox import available_isolation

    forced = os.environ.get(FORCED)
    return next((rung for rung in available_isolation() if not forced or rung.level == forced), None)
