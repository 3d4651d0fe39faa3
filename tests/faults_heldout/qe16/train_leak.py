import json
import sys

import torch
from torch import nn

from leak_net import make_net


def load(path):
    recs = json.load(open(path))
    x = torch.tensor([r["x"] for r in recs])
    y = torch.tensor([[float(r["leak"])] for r in recs])
    n = int(0.8 * len(x))
    mu, sd = x[:n].mean(0), x[:n].std(0)
    x = (x - mu) / sd
    return x[:n], y[:n], x[n:], y[n:]


def main(path):
    cfg = json.load(open(path))
    torch.manual_seed(cfg["seed"])
    x, y, xv, yv = load(cfg["data"])
    net = make_net(x.shape[1], cfg)
    opt = torch.optim.AdamW(net.parameters(), **cfg["optimizer"])
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(cfg["epochs"]):
        net.train()
        losses = []
        for idx in torch.randperm(len(x)).split(cfg["batch_size"]):
            loss = bce(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if (epoch + 1) % 3 == 0:
            net.eval()
            with torch.no_grad():
                acc = ((net(xv) > 0) == (yv > 0.5)).float().mean().item()
            print(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}, held-out accuracy {acc:.3f}, leaks {yv.mean():.2f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "leak.json")
