"""Early stops of frameworks: what they watch, in which direction, and whether they ended the run."""

from __future__ import annotations

from tests.recorder.harness import Record

RUN = """
import sys, types
import torch
from torch import nn
FRAMEWORK
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    nn.functional.mse_loss(net(torch.randn(8, 4)), torch.randn(8, 1)).backward()
    opt.step()
"""
LIGHTNING = """
sys.modules["lightning"] = types.ModuleType("lightning")
class EarlyStopping:
    def __init__(self, monitor, mode, patience):
        self.monitor, self.mode, self.patience, self.stopped_epoch = monitor, mode, patience, 5
stop = EarlyStopping("val_auc", "min", 4)
"""
TRANSFORMERS = """
sys.modules["transformers"] = types.ModuleType("transformers")
class Seq2SeqTrainingArguments:
    metric_for_best_model, greater_is_better = "eval_loss", False
class TrainerState:
    global_step, max_steps = 90, 90
class EarlyStoppingCallback:
    early_stopping_patience = 3
kept = Seq2SeqTrainingArguments(), TrainerState(), EarlyStoppingCallback()
for thing in kept:
    thing.tracked = []
"""


def test_what_a_lightning_stop_watches(record: Record) -> None:
    (row,) = record(RUN.replace("FRAMEWORK", LIGHTNING)).of("stopper")
    told = {k: row[k] for k in ("monitor", "mode", "patience", "stopped")}
    assert told == {"monitor": "val_auc", "mode": "min", "patience": 4, "stopped": True}


def test_what_a_transformers_stop_watches(record: Record) -> None:
    (row,) = record(RUN.replace("FRAMEWORK", TRANSFORMERS)).of("stopper")
    told = {k: row[k] for k in ("monitor", "mode", "patience", "stopped")}
    assert told == {"monitor": "eval_loss", "mode": "min", "patience": 3, "stopped": False}


def test_without_a_framework_nothing_is_looked_for(record: Record) -> None:
    alone = LIGHTNING.replace('sys.modules["lightning"]', "unused")
    assert record(RUN.replace("FRAMEWORK", alone)).of("stopper") == ()


def test_a_stop_that_cannot_be_read_costs_nothing_else(record: Record) -> None:
    broken = LIGHTNING.replace(", self.patience, ", ", ").replace(
        "monitor, mode, patience, 5", "monitor, mode, 5"
    )
    run = record(RUN.replace("FRAMEWORK", broken))
    assert run.of("stopper") == ()
    assert run.trace.end is not None
    assert run.trace.end["stop"] == "script_end"
    assert any("patience" in str(row) for row in run.of("trouble"))
