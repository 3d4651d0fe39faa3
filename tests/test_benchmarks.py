"""The scripts below ``benchmarks/faults`` that make specimens out of others change what they say, and nothing else."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[1] / "benchmarks" / "faults"


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("seeds")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("torch.manual_seed(0)", "torch.manual_seed(7)"),
        ("rng = np.random.default_rng( 3 )", "rng = np.random.default_rng( 10 )"),
        ("split(x, test_size=0.2, random_state=5)", "split(x, test_size=0.2, random_state=12)"),
        ('p.add_argument("--seed", type=int, default=1)', 'p.add_argument("--seed", type=int, default=8)'),
        ('{"seed": 4, "epochs": 4}', '{"seed": 11, "epochs": 4}'),
        ("seed: int = 2", "seed: int = 9"),
        ('["--seed", "3", "--rows", "3"]', '["--seed", "10", "--rows", "3"]'),
        ("seedlings = 3; n_seeds = 4; speed = 5; lr = 0.1",) * 2,
    ],
)
def test_what_seeds_a_generator_is_raised(seeds: Any, text: str, changed: str) -> None:
    assert seeds.reseeded(text, 7)[0] == changed


def test_a_specimen_is_copied_with_other_seeds_and_the_rest_as_it_was(seeds: Any, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "train.py").write_text("manual_seed(1)\nlr = 1\n", encoding="utf-8")
    (folder / "data.csv").write_text("seed,1\n", encoding="utf-8")
    (folder / "case.json").write_text(
        json.dumps({"entry": "train.py", "args": ["--seed", "2"], "why": "seed=3"}), encoding="utf-8"
    )
    assert seeds.make(folder, tmp_path / "other", 10)
    assert (tmp_path / "other" / "train.py").read_text(encoding="utf-8") == "manual_seed(11)\nlr = 1\n"
    assert (tmp_path / "other" / "data.csv").read_text(encoding="utf-8") == "seed,1\n"
    case = json.loads((tmp_path / "other" / "case.json").read_text(encoding="utf-8"))
    assert (case["args"], case["why"]) == (["--seed", "12"], "seed=3")


def test_a_specimen_without_a_seed_is_left_out(seeds: Any, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "train.py").write_text("lr = 1\n", encoding="utf-8")
    assert not seeds.make(folder, tmp_path / "other", 10)
    assert not (tmp_path / "other").exists()
