"""Which statements feed an expression: through assignments, parameters, attributes and results."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lossdoctor.tools.code.flow import MOST, feeding
from lossdoctor.tools.code.project import Project


def slice_of(folder: Path, line: int, **files: str) -> list[tuple[int, str]]:
    """(hops, statement) of what feeds a line of train.py."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    project = Project(folder)
    return [(r.hops, r.text) for r in feeding(project, project.at(str(folder / "train.py"), line))]


def test_assignments_are_followed_back_nearest_first(tmp_path: Path) -> None:
    text = """\
        a = load()
        unrelated = 3
        b = a + 1
        use(b)
        b = 7
        """
    assert slice_of(tmp_path, 4, train=text) == [(1, "b = a + 1"), (2, "a = load()")]


def test_a_loop_sees_what_is_bound_below_it(tmp_path: Path) -> None:
    text = "while going:\n    use(state)\n    state = step()\n"
    assert (1, "state = step()") in slice_of(tmp_path, 2, train=text)


def test_parts_of_a_tuple_are_told_apart(tmp_path: Path) -> None:
    found = slice_of(tmp_path, 3, train="one = 1\na, b = one, two()\nuse(a)\n")
    assert found == [(1, "a, b = (one, two())"), (2, "one = 1")]


@pytest.mark.parametrize(
    "change",
    ["rng.shuffle(x)", "x.sub_(mean)", "x -= mean", "x[order] = y", "x.sort()"],
)
def test_changes_in_place_count(tmp_path: Path, change: str) -> None:
    found = slice_of(tmp_path, 3, train=f"x = load()\n{change}\nuse(x)\n")
    assert [text for _, text in found] == [change, "x = load()"], "the last one first"


def test_parameters_lead_to_the_callers_of_other_files(tmp_path: Path) -> None:
    train = "def fit(x, *, labels):\n    use(x, labels)\n"
    main = "from train import fit\nfit(read(), labels=other())\n"
    assert slice_of(tmp_path, 2, train=train, main=main) == [(1, "read()"), (1, "other()")]


def test_results_and_attributes_lead_into_classes(tmp_path: Path) -> None:
    train = """\
        class Data:
            def __init__(self, rows):
                self.x = numbers(rows)
            def __getitem__(self, i):
                return self.x[i]
        def numbers(rows):
            return [float(r) for r in rows]
        rows = open(path)
        loader = DataLoader(Data(rows))
        """
    texts = [text for _, text in slice_of(tmp_path, 9, train=train)]
    assert texts == [
        "self.x[i]", "rows = open(path)", "self.x = numbers(rows)", "[float(r) for r in rows]", "rows", "rows"
    ]  # fmt: skip


def test_compound_statements_are_entered_by_their_header_only(tmp_path: Path) -> None:
    text = "for batch in batches(data):\n    spoil = 3\n    use(batch)\ndata = 1\n"
    texts = [text for _, text in slice_of(tmp_path, 3, train=text)]
    assert texts == ["for batch in batches(data)", "data = 1"]


def test_with_branches_handlers_and_cases_are_read(tmp_path: Path) -> None:
    text = """\
        with open(p) as f:
            raw = f.read()
        try:
            x = int(raw)
        except ValueError:
            x = 0
        match x:
            case 1:
                y = x
        use(y)
        """
    texts = [text for _, text in slice_of(tmp_path, 10, train=text)]
    assert texts == ["y = x", "x = 0", "x = int(raw)", "raw = f.read()", "with open(p) as f"]


def test_recursion_and_long_chains_end(tmp_path: Path) -> None:
    chain = "".join(f"v{k + 1} = v{k}\n" for k in range(2 * MOST))
    assert len(slice_of(tmp_path, 2 * MOST, train=chain)) == MOST
    assert slice_of(tmp_path, 3, train="def f(n):\n    return f(n)\nuse(f(1))\n") == [
        (1, "f(n)"), (2, "n"), (2, "1")
    ]  # fmt: skip


def test_unreadable_code_and_unknown_lines_feed_nothing(tmp_path: Path) -> None:
    assert slice_of(tmp_path, 1, train="x = = 1\n") == []
    project = Project(tmp_path)
    assert list(project.at(None, 3)) == []
    assert list(project.at(str(tmp_path / "absent.py"), 3)) == []
