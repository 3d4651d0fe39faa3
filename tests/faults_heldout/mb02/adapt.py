"""Adapt the fault classifier of test rig A to rig B, of which we have few recordings."""
import json

import torch
import torch.nn.functional as F

from bearing.data import rig_b
from bearing.net import BearingNet


def set_mode(model):
    # rig A's low-level filters and their statistics stay as they are
    model.train()
    model.low.eval()
    for m in model.modules():
        if isinstance(m, torch.nn.BatchNorm1d):
            m.eval()


@torch.no_grad()
def score(model, loader):
    model.eval()
    loss = hits = n = 0
    for x, y in loader:
        z = model(x)
        loss += F.cross_entropy(z, y, reduction="sum").item()
        hits += int((z.argmax(1) == y).sum())
        n += len(y)
    return loss / n, hits / n


def main():
    cfg = json.load(open("adapt.json"))
    gen = torch.Generator().manual_seed(cfg["seed"])
    train, val, test = rig_b(cfg["data"], cfg["batch_size"], gen)

    model = BearingNet()
    model.load_state_dict(torch.load(cfg["weights"]))
    for p in model.low.parameters():
        p.requires_grad_(False)
    print("before: val loss %.3f acc %.3f" % score(model, val))

    optimizer = torch.optim.AdamW([
        {"params": model.high.parameters(), "lr": cfg["lr_high"]},
        {"params": model.head.parameters(), "lr": cfg["lr_head"]},
    ], weight_decay=cfg["weight_decay"])

    for epoch in range(cfg["epochs"]):
        set_mode(model)
        run = n = 0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            run += loss.item() * len(y)
            n += len(y)
        if epoch % 3 == 2:
            vl, va = score(model, val)
            print(f"{epoch + 1:3d} train {run / n:.3f}  val {vl:.3f} acc {va:.3f}")
    print("after: test loss %.3f acc %.3f" % score(model, test))


if __name__ == "__main__":
    main()
