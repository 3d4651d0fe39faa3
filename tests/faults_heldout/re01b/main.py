"""Keyword spotting on pre-computed log-mel frames."""
import sys
import tomllib

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from features_io import load_splits
from kws_model import KeywordNet


def build_scheduler(opt, spec):
    if spec["kind"] == "decay":
        sched = torch.optim.lr_scheduler.StepLR(opt, step_size=spec["every"], gamma=spec["factor"])
    elif spec["kind"] == "constant":
        sched = torch.optim.lr_scheduler.ConstantLR(opt, factor=1.0)
    else:
        raise ValueError(spec["kind"])
    if spec["unit"] not in ("epoch", "batch"):
        raise ValueError(spec["unit"])
    return sched, spec["unit"]


@torch.no_grad()
def score(net, loader):
    net.eval()
    loss, hits, n = 0.0, 0, 0
    for x, y in loader:
        z = net(x)
        loss += F.cross_entropy(z, y, reduction="sum").item()
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main(cfg_path):
    with open(cfg_path, "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["run"]["seed"])

    train_set, held_set = load_splits(cfg["data"]["file"])
    train = DataLoader(train_set, batch_size=cfg["run"]["batch"], shuffle=True, drop_last=True)
    held = DataLoader(held_set, batch_size=256)

    net = KeywordNet(**cfg["model"])
    opt = torch.optim.SGD(net.parameters(), **cfg["sgd"])
    sched, unit = build_scheduler(opt, cfg["lr"])

    for epoch in range(cfg["run"]["epochs"]):
        net.train()
        total = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            if unit == "batch":
                sched.step()
            total += loss.item()
        if unit == "epoch":
            sched.step()
        if epoch % 3 == 2:
            hl, ha = score(net, held)
            print(f"epoch {epoch + 1:3d}  train {total / len(train):.4f}  held-out {hl:.4f}  acc {ha:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "kws.toml")
