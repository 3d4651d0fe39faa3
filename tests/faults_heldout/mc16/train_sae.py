import json
import sys

import torch

from features import patches
from sae import SparseCoder


def explained(x, rec):
    return 1 - ((x - rec) ** 2).sum().item() / ((x - x.mean(0)) ** 2).sum().item()


def train(cfg):
    torch.manual_seed(cfg["seed"])
    xtr, xte = patches()
    net = SparseCoder(xtr.shape[1], cfg["atoms"], cfg["theta"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    for epoch in range(1, cfg["epochs"] + 1):
        tot = 0.0
        net.train()
        for b in torch.randperm(len(xtr)).split(cfg["batch"]):
            z, rec = net(xtr[b])
            loss = ((xtr[b] - rec) ** 2).mean() + cfg["l1"] * z.abs().sum(1).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                z, rec = net(xte)
            print(f"epoch {epoch} loss {tot / len(xtr):.4f} explained variance {explained(xte, rec):.3f} "
                  f"mean |code| {z.abs().mean():.4f}")
    return net


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "sae.json") as f:
        train(json.load(f))
