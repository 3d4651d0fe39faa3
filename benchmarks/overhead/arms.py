"""Runs in the user's interpreter: one child per arm and round, forked from a process that has torch imported.

Prints one JSON line per child: model, arm, round, and the seconds of each timed step.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
import torch.nn.functional as F
from torch import nn

RECORDER = Path(__file__).resolve().parents[2] / "server" / "lossdoctor" / "recorder"
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
Batch = tuple[torch.Tensor, torch.Tensor]


def mlp(width: int = 512, batch: int = 128) -> tuple[nn.Module, Callable[[], Batch]]:
    """0.93 M parameters in 8 tensors, batches of 128; with a width of 256 and batches of 64 a step of about 6 ms."""
    sizes = (784, width, width, width)
    layers = [part for a, b in itertools.pairwise(sizes) for part in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(width, 10)), lambda: (
        torch.randn(batch, 784),
        torch.randint(0, 10, (batch,)),
    )


class Tagger(nn.Module):
    """A transformer encoder over 64 tokens: 4.2 M parameters in 54 tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(1000, 256)
        layer = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
        self.body, self.head = (
            nn.TransformerEncoder(layer, 4, enable_nested_tensor=False),
            nn.Linear(256, 1000),
        )

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.embed(tokens))).flatten(0, 1)


def transformer() -> tuple[nn.Module, Callable[[], Batch]]:
    """Next-token style loss on batches of 8 x 64."""
    return Tagger(), lambda: (torch.randint(0, 1000, (8, 64)), torch.randint(0, 1000, (512,)))


MODELS = {"small mlp": partial(mlp, 256, 64), "mlp": mlp, "transformer": transformer}


def train(
    build: Callable[[], tuple[nn.Module, Callable[[], Batch]]], arm: str, steps: int, clock: str, device: str
) -> list[float]:
    """Seconds of each step of a plain loop under one arm; on a GPU, whose work is queued, the last step waits for all
    of it, so that only the mean says something.
    """
    torch.manual_seed(0)
    model, batch = build()
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    now, seconds = CLOCKS[clock], []
    watch = _watcher(arm, model)
    for _ in range(steps):
        start = now()
        inputs, targets = (part.to(device) for part in batch())
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        watch(loss)
        optimizer.step()
        if len(seconds) == steps - 1 and device == "cuda":
            torch.cuda.synchronize()
        seconds.append(now() - start)
    return seconds


def _watcher(arm: str, model: nn.Module) -> Callable[[torch.Tensor], None]:
    """What the peers do in the loop; the recorder needs nothing there."""
    if arm == "item loop":
        return lambda loss: (loss.item(), [p.grad.norm().item() for p in model.parameters()], None)[2]
    if arm == "wandb.watch":
        wandb = importlib.import_module("wandb")
        wandb.init(mode="offline", dir=tempfile.mkdtemp(), settings={"silent": True})
        wandb.watch(model, log="all", log_freq=1)
        return lambda loss: wandb.log({"loss": loss.item()})
    torch.autograd.set_detect_anomaly(arm == "detect_anomaly")
    return lambda loss: None


def attach(level: str, folder: str) -> None:
    """Install the recorder in this process, as ``launch.py`` does."""
    name = "_lossdoctor_recorder"
    spec = importlib.util.spec_from_file_location(
        name, RECORDER / "__init__.py", submodule_search_locations=[str(RECORDER)]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    session = importlib.import_module(f"{name}.session").Session(
        {"trace": folder, "level": level, "project": str(Path(__file__).parent)}
    )
    importlib.import_module(f"{name}.run").install(session)


def child(model: str, arm: str, steps: int, clock: str, device: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        if arm in ("lite", "full"):
            attach(arm, folder)
        return {"model": model, "arm": arm, "seconds": train(MODELS[model], arm, steps, clock, device)}


def forked(*job: Any) -> dict[str, Any]:
    """Run ``child`` in a fork: nothing that one arm installs reaches the next."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        sys.stdout = sys.stderr
        with os.fdopen(write, "w") as out:
            json.dump(child(*job), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(pid, 0)
    result: dict[str, Any] = json.loads(text)
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=MODELS, required=True)
    parser.add_argument("--arms", nargs="+", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--clock", choices=CLOCKS, required=True)
    parser.add_argument("--device", choices=("cpu", "cuda"), required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for number in range(args.rounds):
        order = args.arms if number % 2 == 0 else args.arms[::-1]
        for arm in order:
            found = forked(args.model, arm, args.steps, args.clock, args.device)
            print(json.dumps({**found, "round": number}), flush=True)


if __name__ == "__main__":
    main()
