import json
import os

import numpy as np
import torch

from coxnet.layers import DeepRisk
from coxnet.survival import concordance, cox_loss

BASE = os.path.dirname(os.path.abspath(__file__))


def tensors():
    table = np.genfromtxt(os.path.join(BASE, "cohort.csv"), delimiter=",", skip_header=1, dtype=np.float32)
    t = torch.from_numpy(table)
    return t[:, :10], t[:, 10], t[:, 11]


def main():
    with open(os.path.join(BASE, "config.json")) as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    x, time, event = tensors()
    n = 1200
    net = DeepRisk(x.shape[1], cfg["widths"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    print(f"{int(event.sum())} events among {len(x)} patients")
    for epoch in range(cfg["epochs"]):
        net.train()
        losses = []
        for ix in torch.randperm(n).split(cfg["batch_size"]):
            loss = cox_loss(net(x[ix]), time[ix], event[ix])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        net.eval()
        with torch.no_grad():
            c = concordance(net(x[n:]), time[n:], event[n:])
        print(f"epoch {epoch + 1:2d}  partial likelihood loss {np.mean(losses):.4f}  held-out c-index {c:.4f}")


if __name__ == "__main__":
    main()
