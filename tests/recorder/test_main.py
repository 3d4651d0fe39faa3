"""The script runs as if it had been started alone: a real ``__main__``, its own arguments, its own modules."""

from __future__ import annotations

import json

import pytest
from tests.recorder.harness import Record
from tests.recorder.test_interventions import HEAD

TRAIN = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    net(torch.randn(4, 4)).mean().backward()
    opt.step()
"""
OURS = (
    "model",
    "errors",
    "session",
    "run",
    "stats",
    "names",
    "writer",
    "output",
    "script",
    "graph",
    "lens",
    "sites",
)


def test_names_like_ours_resolve_to_the_users_own_modules(record_cold: Record) -> None:
    imports = "".join(f"import {name}; assert {name}.OWNER == 'user', {name}\n" for name in OURS)
    checks = """
import sys
import interventions
assert interventions.OWNER == "user"
assert not [name for name in sys.modules if name.startswith("lossdoctor")]
try:
    import gradients
except ModuleNotFoundError:
    print("nothing of ours")
import __main__
print(__main__.__file__ == __file__, __name__, __spec__, __package__, sys.argv[1:], sys.path[0] == sys.path[0])
"""
    mine = {f"{name}.py": "OWNER = 'user'\n" for name in (*OURS, "interventions")}
    run = record_cold(imports + checks + TRAIN, mine, argv=["--lr", "0.1"])
    assert run.stop == "script_end", run.stderr
    assert run.stdout.splitlines() == ["nothing of ours", "True __main__ None None ['--lr', '0.1'] True"]
    assert len(run.trace.steps) == 3


def test_the_scripts_folder_comes_first_on_the_path_and_files_are_found_beside_it(record: Record) -> None:
    source = "import os, sys\nassert sys.path[0] == os.path.dirname(__file__), sys.path\n"
    run = record(source + "import config\nprint(config.LR, open('notes.txt').read())\n" + TRAIN,
                 {"config.py": "LR = 0.1\n", "notes.txt": "beside"})  # fmt: skip
    assert run.stdout == "0.1 beside\n"


def test_a_module_of_a_package_runs_as_python_m_would(record: Record) -> None:
    head = "from .lr import LR\nprint(__name__, __package__, __spec__.name, LR)\n"
    files = {"pkg/__init__.py": "", "pkg/train.py": head + TRAIN, "pkg/lr.py": "LR = 0.1\n"}
    run = record("", files, module="pkg.train")
    assert run.stdout == "__main__ pkg pkg.train 0.1\n"
    assert len(run.trace.steps) == 3
    assert next(s for s in run.trace.sites if s.what == "step").file.endswith("pkg/train.py")


def test_a_package_with_a_main_module_runs_too(record: Record) -> None:
    run = record("", {"pkg/__init__.py": "", "pkg/__main__.py": TRAIN}, module="pkg")
    assert len(run.trace.steps) == 3


def test_a_notebook_runs_without_its_magics(record: Record) -> None:
    cells = ["%matplotlib inline\n!pip install torch\nimport torch\n", "%%time\nnonsense here\n", TRAIN]
    book = {
        "cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells],
        "nbformat": 4,
    }
    run = record(json.dumps(book), script="train.ipynb")
    assert len(run.trace.steps) == 3
    step = run.trace.site("step")
    assert step is not None
    assert step.code == "opt.step()"


def test_argparse_and_a_main_guard_work(record: Record) -> None:
    run = record(
        """
        import argparse, torch
        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--lr", type=float, required=True)
            lr = parser.parse_args().lr
            net = torch.nn.Linear(4, 1)
            opt = torch.optim.AdamW(net.parameters(), lr=lr)
            for _ in range(50):
                opt.zero_grad(); net(torch.randn(4, 4)).square().mean().backward(); opt.step()
        if __name__ == "__main__":
            main()
        """,
        argv=["--lr", "0.25"],
    )
    assert {step.lr for step in run.trace.steps} == {(0.25,)}


WORKERS = """
import dataclasses, pickle, sys, torch
from torch.utils.data import DataLoader, Dataset

@dataclasses.dataclass
class Config:
    batch: int = 16

class Numbers(Dataset):
    def __len__(self): return 96
    def __getitem__(self, index): return torch.randn(20), index % 5

if __name__ == "__main__":
    assert pickle.loads(pickle.dumps(Config())) == Config()
    net = torch.nn.Linear(20, 5)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(Numbers(), batch_size=Config().batch, num_workers=2, multiprocessing_context=sys.argv[1])
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
"""


@pytest.mark.parametrize("method", [
    "fork", pytest.param("spawn", marks=pytest.mark.slow), pytest.param("forkserver", marks=pytest.mark.slow),
])  # fmt: skip
def test_loader_workers_start_by_every_method(record_cold: Record, method: str) -> None:
    run = record_cold(WORKERS, argv=[method])
    assert run.stop == "script_end", run.stderr
    assert len(run.trace.steps) == 6
    assert run.of("loader")[0]["workers"] == 2
    assert all(b["wait"] > 0 for b in run.of("batch"))


def test_processes_that_the_script_starts_record_nothing(record: Record) -> None:
    run = record(
        """
        import multiprocessing, torch
        def train(steps):
            net = torch.nn.Linear(4, 1)
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for _ in range(steps):
                opt.zero_grad(); net(torch.randn(4, 4)).mean().backward(); opt.step()
        child = multiprocessing.get_context("fork").Process(target=train, args=(20,))
        child.start(); child.join()
        print("child", child.exitcode)
        train(3)
        """
    )
    assert run.stdout == "child 0\n"
    assert [step.i for step in run.trace.steps] == [1, 2, 3]
    assert run.stop == "script_end"


def test_weights_are_told_that_no_longer_hold_what_was_drawn_for_them(record: Record) -> None:
    source = HEAD + (
        "net = nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 5))\n"
        "words = nn.Embedding.from_pretrained(torch.randn(64, 20), freeze=True)\n"
        "nn.init.orthogonal_(net[2].weight)\nnet[4].weight.data.copy_(torch.ones(5, 8))\n"
        "for p in net[0].parameters():\n    p.requires_grad_(False)\nnet.half().float()\n"
        "opt = torch.optim.SGD(net[2:4].parameters(), lr=0.1)\n"
        "for i in range(3):\n    opt.zero_grad()\n    h = words(torch.arange(64))\n"
        "    F.cross_entropy(net(X + h), y).backward()\n    opt.step()\n"
    )
    found = {p.name: p.drawn for p in record(source).trace.parameters}
    assert found["net.0.weight"] is True  # a cast to half precision rounds, but no more
    assert found["net.4.weight"] is False
    assert found["words.weight"] is False


ANNOTATED = """
from dataclasses import dataclass
import torch
@dataclass
class Params:
    width: int
    rate: float
p = Params(**{k: f.type(v) for (k, f), v in zip(Params.__dataclass_fields__.items(), ("4", "0.1"))})
net = torch.nn.Linear(p.width, 1)
opt = torch.optim.SGD(net.parameters(), lr=p.rate)
net(torch.ones(2, p.width)).mean().backward()
opt.step()
"""


@pytest.mark.parametrize("how", ["script", "module"])
def test_annotations_of_the_script_are_evaluated_as_python_would(record: Record, how: str) -> None:
    run = record(ANNOTATED, **({"module": "train"} if how == "module" else {}))
    assert (run.stop, run.status) == ("script_end", 0)
    assert run.trace.steps[0].lr == (0.1,)


def test_a_script_that_asks_for_postponed_annotations_gets_them(record: Record) -> None:
    run = record("from __future__ import annotations\n" + ANNOTATED.replace("f.type(v)", "eval(f.type)(v)"))
    assert (run.stop, run.status) == ("script_end", 0)
