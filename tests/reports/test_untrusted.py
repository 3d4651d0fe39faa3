from __future__ import annotations

import pytest

from lossdoctor.reports.untrusted import last_lines, one_line, visible


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("loss 2.3", "loss 2.3"),
        ("\x1b[2J\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("over\rwritten", "over\nwritten"),
        ("a\x00b\x07c\x7fd\x9be", "abcd"),
        ("user\u202etxt.exe", "usertxt.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tags\U000e0041", "tags"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("höhere Mathematik ∇L", "höhere Mathematik ∇L"),
    ],
)
def test_what_a_script_prints_cannot_move_colour_or_hide_anything(printed: str, shown: str) -> None:
    assert visible(printed) == shown


def test_one_line_is_flat_and_bounded() -> None:
    assert one_line("a\n  b\tc") == "a b c"
    assert one_line("x" * 500, limit=10) == "x" * 9 + "…"


def test_the_last_lines_of_an_error_are_kept_and_each_is_bounded() -> None:
    shown = last_lines("first\n\nsecond\n" + "y" * 400 + "\nValueError: no\n", lines=2, limit=20)
    assert shown == ("y" * 19 + "…", "ValueError: no")
