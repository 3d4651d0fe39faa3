"""Training processes that somebody else starts: shell scripts, ``torchrun``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.recorder.harness import ENVIRONMENT, LAUNCH, Recorded, prepare

from lossdoctor.traces.reader import read_trace

INJECT = LAUNCH.parent / "inject"
TRAIN = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(99):
    opt.zero_grad()
    net(torch.randn(4, 4)).mean().backward()
    opt.step()
"""


def shell(folder: Path, user_python: str, commands: str, files: dict[str, str], **config: Any) -> Recorded:
    """Run a shell script in the project as the sandbox does; ``python`` is the user's interpreter."""
    path = prepare(folder, commands, files, script="run.sh", **config)
    environment = {
        **ENVIRONMENT, "PATH": f"{Path(user_python).parent}:{os.defpath}", "PYTHONPATH": str(INJECT),
        "LOSSDOCTOR_CONFIG": str(path), "HOME": str(folder),
    }  # fmt: skip
    done = subprocess.run(
        ["/bin/bash", str(folder / "project" / "run.sh")], cwd=folder / "project", env=environment, timeout=250,
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (folder / "trace" / "records.jsonl").is_file(), done.stderr[-3000:]
    return Recorded(read_trace(folder / "trace"), done.returncode, done.stdout, done.stderr, folder)


def test_the_training_line_of_a_shell_script_is_recorded_and_no_other(
    user_python: str, tmp_path: Path
) -> None:
    files = {"prepare.py": "import torch\nprint('prepared', torch.zeros(1).item())\n", "pkg/train.py": TRAIN}
    commands = "python prepare.py\npython -c 'print(2)'\npython -u -m pkg.train --lr 1\necho after $?\n"
    run = shell(tmp_path, user_python, commands, files, max_steps=5)
    assert run.stdout.splitlines() == ["prepared 0.0", "2", "after 0"]
    assert run.stop == "max_steps"
    assert len(run.trace.steps) == 5
    step = run.trace.site("step")
    assert step is not None
    assert step.file.endswith("project/pkg/train.py")
    assert run.trace.start["script"].endswith("pkg/train.py")
    assert len(list((tmp_path / "trace").glob("records-*.jsonl"))) == 1, "prepare.py trained nothing"


def test_errors_and_a_sitecustomize_of_the_users_own_are_kept(user_python: str, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("print('own sitecustomize')\n")
    commands = f"export PYTHONPATH=$PYTHONPATH:{own}\npython train.py\n"
    run = shell(tmp_path, user_python, commands, {"train.py": "import torch\nraise ValueError('bad data')\n"})
    assert run.stdout == "own sitecustomize\n"
    assert "ValueError: bad data" in run.stderr
    assert run.status == 1
    assert run.trace.error is not None
    assert (run.trace.error["type"], run.trace.error["line"]) == ("ValueError", 2)


DISTRIBUTED = """
import os, torch, torch.distributed as dist
from torch import nn
{imports}
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
{wrap}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(50):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.randn(16, 20)), torch.randint(0, 5, (16,)))
    loss.backward()
    opt.step()
"""
DDP = DISTRIBUTED.format(
    imports="from torch.nn.parallel import DistributedDataParallel",
    wrap="net = DistributedDataParallel(nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 5)))",
)
FSDP = DISTRIBUTED.format(
    imports="from torch.distributed.fsdp import fully_shard\n"
    "from torch.distributed.device_mesh import init_device_mesh",
    wrap="mesh = init_device_mesh('cpu', (dist.get_world_size(),))\n"
    "net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 5))\n"
    "for part in (net[0], net[2], net): fully_shard(part, mesh=mesh)",
)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "prefix"), [(DDP, "module."), (FSDP, "")], ids=["ddp", "fsdp2"])
def test_two_ranks_leave_a_trace_each(user_python: str, tmp_path: Path, source: str, prefix: str) -> None:
    commands = "python -m torch.distributed.run --standalone --nproc-per-node 2 train.py\n"
    run = shell(tmp_path, user_python, commands, {"train.py": source}, max_steps=6, max_seconds=200)
    other = read_trace(tmp_path / "trace" / "rank1")
    assert run.status == 0, run.stderr[-2000:]
    assert (run.trace.start["rank"], other.start["rank"]) == ("0", "1")
    assert len(run.trace.steps) == len(other.steps) == 6
    assert {p.name for p in run.trace.parameters} == {
        f"{prefix}{n}" for n in ("0.weight", "0.bias", "2.weight", "2.bias")
    }
    assert run.losses != [s.losses for s in other.steps], "each rank has its own batches"
    norms = [[step.grad_norm for step in steps] for steps in (run.trace.steps, other.steps)]
    if prefix:
        assert norms[0] == pytest.approx(norms[1], rel=1e-5), "gradients are averaged over ranks"
    assert all(norm > 0 for rank in norms for norm in rank)
