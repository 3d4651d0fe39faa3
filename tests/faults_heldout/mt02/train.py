import pathlib
import sys
import tomllib

import torch

from digits_data import loaders
from engine import evaluate, run_epoch
from net import build

here = pathlib.Path(__file__).parent
cfg = tomllib.loads((here / (sys.argv[1] if len(sys.argv) > 1 else "config.toml")).read_text())

torch.manual_seed(cfg["run"]["seed"])
train_dl, test_dl = loaders(cfg["data"]["batch_size"], cfg["run"]["seed"])
model = build(cfg["model"]["channels"])

opt = torch.optim.SGD(model.parameters(), lr=cfg["optim"]["lr"], momentum=cfg["optim"]["momentum"])
sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=cfg["optim"]["milestones"], gamma=0.1)

for epoch in range(cfg["run"]["epochs"]):
    total = run_epoch(model, train_dl, opt)
    sched.step()
    test_total, acc = evaluate(model, test_dl)
    print(f"epoch {epoch + 1:2d} | train nll {total:9.2f} | test nll {test_total:8.2f} | test acc {acc:.4f}")
