"""Real training frameworks, with tiny random models and nothing downloaded.

``LOSSDOCTOR_TEST_FRAMEWORKS_PYTHON`` names an interpreter with transformers, accelerate and lightning; without it
these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.recorder.harness import Record, Recorded, cold

pytestmark = pytest.mark.slow

TRANSFORMERS = """
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

class Samples(torch.utils.data.Dataset):
    def __len__(self): return 64
    def __getitem__(self, i):
        x = (torch.arange(16) * (i + 1)) % 100
        return {"input_ids": x, "labels": x}

net = GPT2LMHeadModel(GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=2, n_positions=32))
args = TrainingArguments(output_dir="out", per_device_train_batch_size=4, report_to=[], use_cpu=True,
                         num_train_epochs=5, gradient_accumulation_steps=2, save_strategy="no", max_grad_norm=0.5)
Trainer(net, args, train_dataset=Samples()).train()
"""
LIGHTNING = """
import torch, lightning
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Task(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 5))
    def training_step(self, batch, index):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

data = TensorDataset(torch.randn(256, 20), torch.randint(0, 5, (256,)))
trainer = lightning.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False,
                            enable_progress_bar=False, gradient_clip_val=0.5)
trainer.fit(Task(), DataLoader(data, batch_size=16))
"""
ACCELERATE = """
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 5))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
data = TensorDataset(torch.randn(256, 20), torch.randint(0, 5, (256,)))
net, opt, loader = accelerator.prepare(net, opt, DataLoader(data, batch_size=16))
for x, y in loader:
    with accelerator.accumulate(net):
        accelerator.backward(nn.functional.cross_entropy(net(x), y))
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
"""


@pytest.fixture
def record_framework(tmp_path: Path) -> Record:
    python = os.environ.get("LOSSDOCTOR_TEST_FRAMEWORKS_PYTHON")
    if not python:
        pytest.skip("LOSSDOCTOR_TEST_FRAMEWORKS_PYTHON names no interpreter with the frameworks")

    def run(source: str) -> Recorded:
        env = {"HF_HUB_OFFLINE": "1", "HOME": str(tmp_path)}
        return cold(python, tmp_path / "run", source, env=env, max_seconds=90)

    return run


def check(run: Recorded, prefix: str, backwards: int, clip: float) -> None:
    """The table's columns: stop, loss, gradients, rate, names, clipping; one optimizer step per row."""
    assert run.stop == "max_steps", run.stderr[-2000:]
    assert len(run.trace.steps) == 8
    for step in run.trace.steps:
        assert step.backwards == len(step.losses) == backwards
        assert len(step.grads) == len(run.trace.parameters)
        assert step.grad_norm > 0
        assert step.lr
        assert step.clip_max == clip
        assert not step.stale
    assert all(p.name.startswith(prefix) and p.optimizers == (0,) for p in run.trace.parameters)
    assert {"loss", "backward", "step"} <= {site.what for site in run.trace.sites}
    assert all(site.file.endswith("train.py") for site in run.trace.sites)


def test_the_transformers_trainer_is_recorded(record_framework: Record) -> None:
    check(record_framework(TRANSFORMERS), "transformer.", backwards=2, clip=0.5)


def test_lightning_is_recorded(record_framework: Record) -> None:
    check(record_framework(LIGHTNING), "net.", backwards=1, clip=0.5)


def test_accelerate_is_recorded(record_framework: Record) -> None:
    check(record_framework(ACCELERATE), "", backwards=2, clip=1.0)
