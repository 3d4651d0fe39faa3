"""Adapt the rig-A fault classifier to rig B with low-rank updates on the frozen weights."""
import json

import numpy as np
import torch
import torch.nn.functional as F

CONF = json.load(open("adapt.json"))


def split(path, n_train, gen):
    blob = np.load(path)
    x = torch.from_numpy(blob["spectra"].astype(np.float32))
    y = torch.from_numpy(blob["state"].astype(np.int64))
    order = torch.randperm(len(x), generator=gen)
    a, b = order[:n_train], order[n_train:]
    return (x[a], y[a]), (x[b], y[b])


def make_adapters(base, rank, layers):
    adapters = {}
    for name in layers:
        rows, cols = base[name].shape
        adapters[name] = {
            "down": torch.zeros(rank, cols, requires_grad=True),
            "up": torch.zeros(rows, rank, requires_grad=True),
        }
    return adapters


def weight(base, adapters, name, scale):
    if name not in adapters:
        return base[name]
    ad = adapters[name]
    return base[name] + scale * (ad["up"] @ ad["down"])


def forward(base, adapters, bias, x, scale):
    h = F.relu(F.linear(x, weight(base, adapters, "w1", scale), base["b1"]))
    h = F.relu(F.linear(h, weight(base, adapters, "w2", scale), base["b2"]))
    return F.linear(h, weight(base, adapters, "w3", scale), bias)


def evaluate(base, adapters, bias, x, y, scale):
    with torch.no_grad():
        z = forward(base, adapters, bias, x, scale)
    return F.cross_entropy(z, y).item(), (z.argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(CONF["seed"])
    gen = torch.Generator().manual_seed(CONF["seed"] + 1)
    (xt, yt), (xv, yv) = split("rig_b.npz", CONF["n_train"], gen)

    base = torch.load("rig_a.pt", weights_only=True)
    bias = base["b3"].clone().requires_grad_()
    adapters = make_adapters(base, CONF["rank"], CONF["layers"])
    scale = CONF["alpha"] / CONF["rank"]

    trainable = [bias] + [t for ad in adapters.values() for t in ad.values()]
    opt = torch.optim.AdamW(trainable, lr=CONF["lr"], weight_decay=CONF["weight_decay"])

    loss, acc = evaluate(base, adapters, bias, xv, yv, scale)
    print(f"before       val {loss:.4f}  acc {acc:.3f}")
    for epoch in range(CONF["epochs"]):
        perm = torch.randperm(len(xt), generator=gen)
        run = 0.0
        for idx in perm.split(CONF["batch"]):
            loss = F.cross_entropy(forward(base, adapters, bias, xt[idx], scale), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        if (epoch + 1) % 5 == 0:
            vl, va = evaluate(base, adapters, bias, xv, yv, scale)
            print(f"epoch {epoch + 1:3d}  train {run / len(xt):.4f}  val {vl:.4f}  acc {va:.3f}")



if __name__ == "__main__":
    main()
