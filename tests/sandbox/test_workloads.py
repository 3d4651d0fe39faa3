"""Real torch programs work inside: workers, compilation, several ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sandbox.conftest import LAUNCH, Write

from lossdoctor.sandbox import Experiment, Recording, layout, run_experiment

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

WORKERS = """
import sys, torch
from torch.utils.data import DataLoader, TensorDataset

def main():
    data = TensorDataset(torch.arange(64.0).reshape(64, 1))
    for method in ("fork", "spawn", "forkserver"):
        loader = DataLoader(data, batch_size=16, num_workers=2, multiprocessing_context=method)
        print(method, sum(float(batch[0].sum()) for batch in loader))

if __name__ == "__main__":
    main()
"""
COMPILED = """
import torch
torch.set_num_threads(1)
f = torch.compile(lambda x: (x * 2).relu().sum())
print("compiled", float(f(torch.ones(8))))
"""
RANKS = """
import os, sys, torch.distributed as dist, torch.multiprocessing as mp, torch

def rank(index):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    dist.init_process_group("gloo", rank=index, world_size=2)
    x = torch.ones(3)
    dist.all_reduce(x)
    if index == 0:
        print("reduced", x.tolist(), flush=True)
    dist.destroy_process_group()

if __name__ == "__main__":
    mp.spawn(rank, nprocs=2)
"""


@pytest.fixture(autouse=True)
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "recorder").mkdir()
    (tmp_path / "recorder" / "launch.py").write_text(LAUNCH.replace("runpy.run_path", "run_as_main"))
    with (tmp_path / "recorder" / "launch.py").open("r+") as file:
        body = file.read()
        file.seek(0)
        file.write(RUN_AS_MAIN + body)
    monkeypatch.setattr(layout, "RECORDER", tmp_path / "recorder")


RUN_AS_MAIN = """
def run_as_main(path, run_name):
    import sys, types
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    exec(compile(open(path).read(), path, "exec"), module.__dict__)
"""


async def run(script: Path, python: str) -> Recording:
    experiment = Experiment(script, python=python, max_seconds=90.0, env={"OMP_NUM_THREADS": "1"})
    return await run_experiment(experiment, out=script.parent.parent / "trace")


async def test_loader_workers_of_every_kind_work(rung: str, script: Write, user_python: str) -> None:
    recording = await run(script(WORKERS), user_python)
    assert recording.stdout_tail == "fork 2016.0\nspawn 2016.0\nforkserver 2016.0\n", recording.stderr_tail


async def test_compiled_functions_work(rung: str, script: Write, user_python: str) -> None:
    recording = await run(script(COMPILED), user_python)
    assert recording.stdout_tail == "compiled 16.0\n", recording.stderr_tail


async def test_ranks_on_one_machine_need_the_namespaces(rung: str, script: Write, user_python: str) -> None:
    if rung == "landlock":
        pytest.skip("no loopback TCP on this rung, as its details say")
    recording = await run(script(RANKS), user_python)
    assert recording.stdout_tail == "reduced [2.0, 2.0, 2.0]\n", recording.stderr_tail
