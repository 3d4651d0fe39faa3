"""Stage 2: predict strength from mix proportions, starting from the stage 1 weights."""
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

DIR = Path(__file__).resolve().parent


class Mixer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.trunk = nn.ModuleList(nn.Linear(i, o) for i, o in zip(sizes[:-1], sizes[1:]))
        self.head = nn.Linear(sizes[-1], 1)

    def forward(self, x):
        for layer in self.trunk:
            x = torch.relu(layer(x))
        return self.head(x).squeeze(-1)


class Standard:
    def __init__(self, a):
        self.mean, self.std = a.mean(0), a.std(0)

    def fwd(self, a):
        return (a - self.mean) / self.std

    def inv(self, a):
        return a * self.std + self.mean


def main():
    torch.set_num_threads(1)
    cfg = json.loads((DIR / "stage2.json").read_text())
    torch.manual_seed(cfg["seed"])
    raw = np.load(DIR / "mixes.npy").astype(np.float32)
    data = torch.from_numpy(raw)
    n = cfg["n_train"]
    xs, ys = Standard(data[:n, :-1]), Standard(data[:n, -1])
    x, y = xs.fwd(data[:, :-1]), ys.fwd(data[:, -1])
    xt, yt, xv, yv = x[:n], y[:n], x[n:], y[n:]

    model = Mixer([x.shape[1], *cfg["hidden"]])
    missing = model.load_state_dict(torch.load(DIR / cfg["start_from"]), strict=True)
    print("stage 1 weights:", missing)
    opt = torch.optim.Adagrad(model.parameters(), lr=cfg["lr"])
    loss_fn = nn.HuberLoss()

    t0 = time.time()
    for epoch in range(cfg["epochs"]):
        perm = torch.randperm(n)
        agg = torch.zeros(())
        for sel in perm.split(cfg["batch"]):
            opt.zero_grad()
            loss = loss_fn(model(xt[sel]), yt[sel])
            loss.backward()
            opt.step()
            agg += loss.detach() * len(sel)
        with torch.no_grad():
            pred = model(xv)
            vloss = loss_fn(pred, yv)
            mae = (ys.inv(pred) - ys.inv(yv)).abs().mean()
            r2 = 1 - (pred - yv).pow(2).mean() / yv.var(unbiased=False)
        if epoch % 2 == 1:
            print(f"{epoch + 1:3d}  train {agg / n:.4f}  valid {vloss:.4f}  mae {mae:.2f} MPa  r2 {r2:.3f}  {time.time() - t0:.1f}s")
    torch.save(model.state_dict(), DIR / "stage2.pt")


if __name__ == "__main__":
    main()
