"""Tool ``search_sheets``: find the section for some words or a fault id."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..model import Frozen
from ..sheetbook import SheetHit
from ..sheetbook import search_sheets as hits_for

Query = Annotated[str, Field(min_length=2, max_length=300, description="words, a symptom or a fault id")]


class SheetSearch(Frozen):
    """Up to five sections, best first; ``next_step`` says how to go on."""

    hits: tuple[SheetHit, ...]
    next_step: str


async def search_sheets(query: Query) -> SheetSearch:
    """Search the training sheets (optimizers, learning rate and warmup, losses, gradients, batch size and
    memory, augmentation, overfitting, training loops, tuning, tracking) for words or a fault id.

    Gives up to 5 sections with a one-sentence summary each. For a run that misbehaves, call route_symptom
    or diagnose instead: they measure or ask before they point anywhere.
    """
    hits = tuple(hits_for(query))
    return SheetSearch(hits=hits, next_step=_next_step(hits))


def _next_step(hits: tuple[SheetHit, ...]) -> str:
    if hits:
        return f"read_sheet(sheet={hits[0].sheet!r}, section={hits[0].section!r})"
    return "no section fits these words; describe what you see to route_symptom"
