"""Surface roughness Ra (um) of turned parts from acoustic emission, vibration and process data."""
import json
from pathlib import Path

import numpy as np
import torch

from belief import Belief
from fusion import ColumnScaler, SensorFusion

root = Path(__file__).resolve().parent
cfg = json.loads((root / "fusion.json").read_text())


class Strata:
    """Each minibatch takes its rows evenly from the quantiles of the target."""

    def __init__(self, y, size, parts, rng):
        self.bins = np.array_split(np.argsort(y), parts)
        self.per, self.rng = size // parts, rng

    def __iter__(self):
        shuffled = [self.rng.permutation(b) for b in self.bins]
        for i in range(min(map(len, shuffled)) // self.per):
            yield np.concatenate([b[i * self.per:(i + 1) * self.per] for b in shuffled])


class Regression:
    def __init__(self):
        self.t, self.p = [], []

    def add(self, truth, pred):
        self.t.append(truth)
        self.p.append(pred)

    def result(self):
        t, p = torch.cat(self.t), torch.cat(self.p)
        return (t - p).abs().mean().item(), (1 - ((t - p) ** 2).sum() / ((t - t.mean()) ** 2).sum()).item()


def main():
    seed = cfg["seed"]
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    raw = np.load(root / cfg["file"])
    names = [s["name"] for s in cfg["sources"]]
    x = {n: torch.from_numpy(raw[n].astype(np.float32)) for n in names}
    y = torch.from_numpy(raw["ra"])
    order = torch.from_numpy(np.random.default_rng(99).permutation(len(y)))
    test, train = order[:350], order[350:]
    for n in names:
        x[n] = ColumnScaler().fit(x[n][train])(x[n])
    xtr, ytr = {n: x[n][train] for n in names}, y[train]
    xte, yte = {n: x[n][test] for n in names}, y[test]

    net = SensorFusion(cfg["sources"], {n: x[n].shape[1] for n in names}, cfg["head"])
    opt = Belief(net.parameters(), lr=cfg["lr"])
    y_mu, y_sd = ytr.mean(), ytr.std()

    for epoch in range(cfg["epochs"]):
        for g in opt.param_groups:
            g["lr"] = cfg["lr"] * max(0.02, 1 - epoch / cfg["epochs"])
        tot = cnt = 0
        for rows in Strata(ytr.numpy(), cfg["batch"], 8, rng):
            rows = torch.from_numpy(rows)
            pred = net({n: v[rows] for n, v in xtr.items()})
            loss = (pred - (ytr[rows] - y_mu) / y_sd).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, cnt = tot + loss.item(), cnt + 1
        if (epoch + 1) % 4 == 0:
            meter = Regression()
            with torch.no_grad():
                meter.add(yte, net(xte) * y_sd + y_mu)
            mae, r2 = meter.result()
            print(f"epoch {epoch + 1:3d}  loss {tot / cnt:.4f}  test MAE {mae:.3f} um  R2 {r2:.3f}")


if __name__ == "__main__":
    main()
