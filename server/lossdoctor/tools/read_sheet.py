"""Tool ``read_sheet``: a section of a sheet, for clients that do not read resources by themselves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..sheetbook import SheetPage
from ..sheetbook import read_sheet as page_of
from .store import last_torch

Name = Annotated[str, Field(max_length=120, description="sheet id, or sheet#section as a route names it")]
SectionName = Annotated[
    str | None, Field(max_length=120, description="section id; without it, the summary and the list")
]
Detail = Annotated[
    Literal["concise", "full"], Field(description="full: the whole sheet, or a section's siblings too")
]


async def read_sheet(sheet: Name, section: SectionName = None, detail: Detail = "concise") -> SheetPage:
    """Read training know-how: one section of a sheet, or a sheet's summary and its list of sections.

    Sheets: optimization-algorithms, learning-rate-scheduling, loss-functions-and-objectives,
    gradient-management, batch-size-and-memory-tradeoffs, data-augmentation-strategies,
    overfitting-prevention, training-loop-architecture, hyperparameter-tuning, experiment-tracking.
    Read the section that route_symptom or diagnose names; whole sheets are seldom needed. Notes on changed
    torch calls fit the torch of the script that was diagnosed last.
    """
    return page_of(sheet, section, detail=detail == "full", torch_version=last_torch())
