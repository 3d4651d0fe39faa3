"""The entry of a configuration file that decides whether a line runs, or what it picks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.tools.code.choices import choice, option
from lossdoctor.tools.code.project import Project

CONFIG = """\
steps = 3
interval = batch
loss = ce
freeze = body
flip_p = 0.5
every = 10
name = run7
"""


def entry(folder: Path, code: str, marked: str, fault: str = "lr_schedule_misuse") -> str | None:
    """The configuration entry that the marked line is laid at."""
    (folder / "run.ini").write_text(CONFIG, encoding="utf-8")
    file = folder / "train.py"
    file.write_text(code, encoding="utf-8")
    line = next(n for n, text in enumerate(code.splitlines(), 1) if marked in text)
    found = choice(fault, Project(folder), [(str(file), line)] * 2)
    return None if found is None else CONFIG.splitlines()[found.line - 1]


STEPPED = """\
class Engine:
    def __init__(self, interval):
        self.interval = interval
    def epoch(self):
        for x in loader:
            optimizer.step()
            if self.interval == "batch":
                schedule.step()
engine = Engine(cfg["interval"])
"""


def test_a_line_under_a_condition_is_laid_at_what_the_condition_asks(tmp_path: Path) -> None:
    assert entry(tmp_path, STEPPED, "schedule.step()") == "interval = batch"


def test_a_line_beside_the_condition_is_not(tmp_path: Path) -> None:
    assert entry(tmp_path, STEPPED, "optimizer.step()") is None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if not cfg.interval:\n    raise ValueError\nMARK\n", "interval = batch"),
        ("for part in cfg.freeze:\n    MARK\n", "freeze = body"),
        (
            "for k, p in parts:\n    if any(k.startswith(f) for f in cfg['freeze']):\n        MARK\n",
            "freeze = body",
        ),
        ("if torch.rand(()) < cfg.flip_p:\n    MARK\n", "flip_p = 0.5"),
        ("x = KINDS[cfg.loss]  # MARK\n", "loss = ce"),
        ("x = getattr(nn, cfg.loss)  # MARK\n", "loss = ce"),
        ("x = a if cfg.interval else b  # MARK\n", "interval = batch"),
        # how far the run has come is no choice, and neither is a loop's own variable
        ("for k in range(cfg.steps):\n    MARK\n", None),
        ("for k in order:\n    if k % cfg.every == 0:\n        MARK\n", None),
        ("for k in order:\n    if k > cfg.steps:\n        MARK\n", None),
        ("for name in parts:\n    if name in known:\n        MARK\n", None),
        ("if unknown:\n    MARK\n", None),
    ],
)
def test_what_decides_a_line(tmp_path: Path, code: str, expected: str | None) -> None:
    assert entry(tmp_path, code, "MARK") == expected


def test_a_choice_made_before_is_followed_where_the_fault_is_one_of_choice(tmp_path: Path) -> None:
    code = "criterion = LOSSES[cfg.loss]()\nvalue = criterion(a, b)\n"
    assert entry(tmp_path, code, "value =", "loss_wrong_for_task") == "loss = ce"
    assert entry(tmp_path, code, "value =") is None


def test_an_entry_that_stands_twice_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "other.ini").write_text("interval = epoch\n", encoding="utf-8")
    assert entry(tmp_path, STEPPED, "schedule.step()") is None


@pytest.mark.parametrize("amount", ["self.p", "math.radians(self.p)"])
def test_how_strongly_samples_are_changed_is_laid_at_the_amount(tmp_path: Path, amount: str) -> None:
    code = f"""\
class Augment:
    def __init__(self, flip_p=0.0):
        self.p = flip_p
    def __call__(self, x):
        flip = torch.rand(len(x)) < {amount}
        return torch.where(flip, x.flip(-1), x)
"""
    assert entry(tmp_path, code, "where", "augmentation_destroys_signal") == "flip_p = 0.5"
    assert entry(tmp_path, code, "where", "label_noise") is None


CHAIN = """\
class Reverse:
    def __call__(self, w):
        return w.flip(-1)
class Gain:
    def __call__(self, w):
        return w * draw()
"""


@pytest.mark.parametrize(("marked", "expected"), [("flip", "name = run7, Reverse"), ("draw", None)])
def test_a_class_that_the_configuration_names_is_laid_at_its_name(
    tmp_path: Path, marked: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.CONFIG", CONFIG.replace("name = run7", "name = run7, Reverse"))
    assert entry(tmp_path, CHAIN, marked, "augmentation_destroys_signal") == expected


def test_a_line_under_an_option_is_laid_at_the_option(tmp_path: Path) -> None:
    code = "for x in loader:\n    if args.lr_unit == 'batch':\n        schedule.step()\n    other()\n"
    (tmp_path / "train.py").write_text(code, encoding="utf-8")
    place = (str(tmp_path / "train.py"), 3)
    given = ("--lr", "0.1", "--lr-unit=batch")
    assert option("lr_schedule_misuse", Project(tmp_path), [place], given) == ("--lr-unit=batch", "lr_unit")
    assert option("lr_schedule_misuse", Project(tmp_path), [(place[0], 4)], given) is None
    assert option("lr_schedule_misuse", Project(tmp_path), [place], ("--lr", "0.1")) is None


def test_a_reduction_that_is_chosen_is_laid_at_its_entry(tmp_path: Path) -> None:
    code = "how = cfg.interval\nloss = F.mse_loss(z, x, reduction=how)\n"
    assert entry(tmp_path, code, "mse_loss", "loss_term_imbalance") == "interval = batch"


def test_a_function_that_the_configuration_names_is_laid_at_its_name_where_it_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def mirror(x):\n    return x.flip(-1)\ndef gain(x):\n    return 2 * x\nSTEPS = [mirror, gain]\n"
    monkeypatch.setattr(f"{__name__}.CONFIG", CONFIG + "transforms = jitter, mirror\n")
    (tmp_path / "run.ini").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "train.py").write_text(code, encoding="utf-8")
    found = [
        choice("augmentation_destroys_signal", Project(tmp_path), [(str(tmp_path / "train.py"), line)])
        for line in (2, 4)
    ]
    assert found[0] is not None
    assert (found[0].name, found[0].line, found[1]) == ("mirror", 8, None)


def test_the_entry_that_names_the_target_is_not_blamed_for_an_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def column(name):\n    return rows[name]\nx, y = column(cfg.first), column(cfg.target)\n"
    monkeypatch.setattr(f"{__name__}.CONFIG", CONFIG + "\ntarget = evaporation\n")
    assert entry(tmp_path, code, "x, y", "label_noise") in (None, "target = evaporation")
    assert entry(tmp_path, code, "x, y", "input_not_normalized") is None
