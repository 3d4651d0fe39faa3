"""What a loop without a loader draws its batches from: a tensor or array among its variables that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import torch

from .reduced import identities
from .session import Session
from .variables import data_tensor, inside

FRAMES = 4
MOST = 4_000_000  # numbers in a data set that is looked through
NEARLY = 0.9  # share of a batch that must be in it
AT = 2  # steps after which it is looked for


def look_for_pool(session: Session, x: torch.Tensor) -> None:
    """Write one ``pool`` row with the number of samples of the smallest variable that holds this batch and more."""
    batch = set(identities(x))
    sizes = []
    for candidate in _candidates(session, x):
        known = set(identities(candidate.to(x.dtype)))
        if len(batch & known) >= NEARLY * len(batch):
            sizes.append(len(known))
    if sizes:
        session.add({"k": "pool", "i": session.now + 1, "n": min(sizes)})


def _candidates(session: Session, x: torch.Tensor) -> Iterator[torch.Tensor]:
    seen: set[int] = set()
    values = [v for frame in islice(session.sites.frames(), FRAMES) for v in list(frame.f_locals.values())]
    for item in (part for value in values for part in (value, *(inner for _, inner in inside(value)))):
        found = data_tensor(item)
        if found is not None and id(item) not in seen and _holds_more(found, x):
            seen.add(id(item))
            yield found


def _holds_more(found: torch.Tensor, x: torch.Tensor) -> bool:
    alike = found.dim() == x.dim() and found.shape[1:] == x.shape[1:]
    return alike and found.shape[0] > x.shape[0] and found.numel() <= MOST
