"""The HTML page: whole by itself, and safe to open whatever the script is called or printed."""

from __future__ import annotations

from html.parser import HTMLParser

from tests.reports.test_figures import recorded
from tests.samples import RUN, diagnosis, finding

from lossdoctor.model import Trace
from lossdoctor.reports.page import page
from lossdoctor.traces.trials import Trial

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(1)>"


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs


def test_the_page_holds_the_report_and_each_plot() -> None:
    trials = (Trial(fault="lr_too_high", change="scale_lr factor=0.1", status="confirmed"),)
    text = page(diagnosis(), recorded(), trials, "train.py")
    assert Tags(text).seen.count("figure") == 3
    assert "train.py: faulty" in text
    assert "same seed, a tenth of the rate" in text
    assert "<td>scale_lr factor=0.1</td>" in text


def test_nothing_is_fetched_and_nothing_runs() -> None:
    tags = Tags(page(diagnosis(), recorded(), (), "train.py"))
    assert not {"script", "iframe", "link", "img"} & set(tags.seen)
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert not [v for name, v in tags.attributes if name in ("src", "href") and not (v or "").startswith("#")]


def test_text_of_the_script_is_escaped_wherever_it_stands() -> None:
    crash = RUN.model_copy(update={"stop": "error", "error": ATTACK})
    told = diagnosis(findings=(finding(why=ATTACK, proof=ATTACK),), run=crash)
    trials = (Trial(fault="x", change=ATTACK, status="refuted"),)
    text = page(told, recorded((ATTACK, "head.weight")), trials, ATTACK)
    assert not {"script", "img"} & set(Tags(text).seen)
    assert "&lt;script&gt;" in text


def test_a_run_of_which_nothing_is_left_still_has_a_page() -> None:
    assert "figure" not in Tags(page(diagnosis(), Trace(), (), "train.py")).seen
