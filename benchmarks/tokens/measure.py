"""What lossdoctor's answers cost an agent, in tokens of a real tokenizer (cl100k, from the package bpe-openai).

    pip install bpe-openai && python benchmarks/tokens/measure.py [--write]

``--write`` puts the table into benchmarks/tokens/results.md.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from statistics import median

import bpe_openai

from lossdoctor.reports.wire import wire_json
from lossdoctor.routing import route
from lossdoctor.sheetbook import list_sheets, read_sheet, section_ids, sheet_ids

COMPLAINTS = (
    "loss is flat at 2.30 from the first step, 10 classes",
    "loss becomes NaN after 2000 steps in fp16",
    "train accuracy 99 %, validation 71 %, 900 images",
    "GPU utilisation is at 25 %, an epoch takes an hour",
    "loss oscillates wildly with lr 0.1",
    "which optimizer should I use for a 300M transformer?",
)
ENCODING = bpe_openai.get_encoding("cl100k_base")


def count(text: str) -> int:
    return len(ENCODING.encode(text))


def route_and_sections(complaint: str) -> tuple[int, int]:
    """Tokens of the route, and of the route with the first two sections it names."""
    result = route(complaint)
    first = count(wire_json(result))
    refs = [r for r in (*result.primary, *result.secondary) if r.kind == "sheet"][:2]
    return first, first + sum(count(wire_json(read_sheet(r.id, r.section))) for r in refs)


def rows() -> list[tuple[str, str]]:
    """The measurements, labelled."""
    sheets = {s: count(read_sheet(s, detail=True).text) for s in sheet_ids()}
    sections = [count(wire_json(read_sheet(s, x))) for s in sheet_ids() for x in section_ids(s)]
    routes = [route_and_sections(c) for c in COMPLAINTS]
    return [
        ("all ten sheets, whole", f"{sum(sheets.values())}"),
        ("largest sheet", f"{max(sheets, key=lambda s: sheets[s])}: {max(sheets.values())}"),
        ("a section as `read_sheet` returns it, median and largest", f"{median(sections):.0f}, {max(sections)}"),
        ("a sheet's summary page, largest", f"{max(count(wire_json(read_sheet(s))) for s in sheet_ids())}"),
        ("a route, median and largest of six complaints",
         f"{median(a for a, _ in routes):.0f}, {max(a for a, _ in routes)}"),
        ("a route and its first two sections, median and largest",
         f"{median(b for _, b in routes):.0f}, {max(b for _, b in routes)}"),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    assert list_sheets()
    table = "\n".join(["| what | tokens (cl100k) |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows())])
    print(table)
    if chosen.write:
        text = f"# Tokens\n\nMeasured on {date.today()} by `benchmarks/tokens/measure.py`.\n\n{table}\n"
        (Path(__file__).parent / "results.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
