import sys

import torch
from torch import nn

from energy.features import Standard, load
from energy.nets import mlp


def read_yaml(path):
    out = {}
    for line in open(path):
        if ":" in line:
            k, v = (s.strip() for s in line.split(":", 1))
            try:
                out[k] = float(v) if "." in v else int(v)
            except ValueError:
                out[k] = v
    return out


def main(cfg_path="model.yaml"):
    cfg = read_yaml(cfg_path)
    torch.manual_seed(cfg["seed"])
    x, y = load("buildings.csv")
    n = cfg["train_rows"]
    sx, sy = Standard(x[:n]), Standard(y[:n])
    xs, ys = sx.to(x), sy.to(y)
    net = mlp(cfg["layers"], cfg["activation"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    loss_fn = nn.MSELoss()
    for epoch in range(cfg["epochs"]):
        net.train()
        s = 0.0
        for b in torch.randperm(n).split(cfg["batch"]):
            opt.zero_grad()
            loss = loss_fn(net(xs[b]), ys[b])
            loss.backward()
            opt.step()
            s += loss.item() * len(b)
        net.eval()
        with torch.no_grad():
            pred = sy.back(net(xs[n:]))
            mae = (pred - y[n:]).abs().mean().item()
            r2 = 1 - ((pred - y[n:]) ** 2).sum() / ((y[n:] - y[n:].mean()) ** 2).sum()
        print(f"{epoch + 1:>3} mse {s / n:.4f}  test MAE {mae:.2f} kWh  R2 {r2.item():.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
