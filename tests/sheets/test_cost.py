"""A route and the two sections it leads to cost an agent less than 2,500 tokens."""

from __future__ import annotations

import pytest

from lossdoctor.routing import route
from lossdoctor.sheetbook import estimate_tokens, read_sheet, section_ids, sheet_ids

MAX_TOKENS_OF_A_ROUTE_WITH_TWO_SECTIONS = 2_500
COMPLAINTS = [
    "the loss is NaN after 200 steps",
    "loss is flat at 2.3 from the first step, Adam, lr 1e-3, gradients are not zero",
    "train accuracy 99 %, validation accuracy 60 %, 800 images",
    "which optimizer should I use for a small transformer?",
]


def _section_costs() -> list[int]:
    pages = [read_sheet(sheet, section) for sheet in sheet_ids() for section in section_ids(sheet)]
    return sorted(estimate_tokens(page.model_dump_json()) for page in pages)


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_a_route_with_the_two_longest_sections_stays_within_its_budget(complaint: str) -> None:
    answer = estimate_tokens(route(complaint).model_dump_json())
    assert answer + sum(_section_costs()[-2:]) < MAX_TOKENS_OF_A_ROUTE_WITH_TWO_SECTIONS
