"""Load one hour ahead from the last 24 hours, the outside temperature and the hour of the week."""
import copy
import dataclasses

import numpy as np
import torch
from torch import nn


@dataclasses.dataclass
class Conf:
    window: int = 24
    hidden: int = 48
    lr: float = 1e-3
    batch: int = 64
    max_epochs: int = 120
    patience: int = 10
    seed: int = 14


class Standard:
    def __init__(self, a):
        self.m, self.s = a.mean(0), a.std(0)

    def __call__(self, a):
        return (a - self.m) / self.s


def build(conf):
    d = np.loadtxt("load_hourly.csv", delimiter=",", skiprows=1)
    n1, n2 = int(len(d) * 0.7), int(len(d) * 0.85)
    sc = Standard(d[:n1, 1:])
    z = sc(d[:, 1:])
    hour = d[:, 0]
    cal = np.stack([f(2 * np.pi * hour / p) for p in (24, 168) for f in (np.sin, np.cos)], 1)
    xs, ys = [], []
    for t in range(conf.window, len(d)):
        # everything known at the end of hour t-1, and the calendar of hour t
        xs.append(np.concatenate([z[t - conf.window:t, 0], z[t - 3:t, 1], cal[t]]))
        ys.append(z[t, 0])
    x = torch.tensor(np.array(xs), dtype=torch.float32)
    y = torch.tensor(np.array(ys), dtype=torch.float32)
    a, b = n1 - conf.window, n2 - conf.window
    return (x[:a], y[:a]), (x[a:b], y[a:b]), (x[b:], y[b:]), float(sc.s[0])


class Stopper:
    def __init__(self, patience):
        self.patience, self.best, self.wait, self.weights = patience, float("inf"), 0, None

    def stop(self, val_loss, model):
        if val_loss < self.best:
            self.best, self.wait = val_loss, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


def mse(model, part):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(part[0]).squeeze(1), part[1]).item()


def main():
    conf = Conf()
    torch.manual_seed(conf.seed)
    train, val, test, scale = build(conf)
    model = nn.Sequential(nn.Linear(train[0].shape[1], conf.hidden), nn.ReLU(), nn.Dropout(0.1),
                          nn.Linear(conf.hidden, conf.hidden), nn.ReLU(), nn.Linear(conf.hidden, 1))
    opt = torch.optim.Adam(model.parameters(), lr=conf.lr, weight_decay=1e-5)
    stopper = Stopper(conf.patience)
    for epoch in range(1, conf.max_epochs + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(train[0])).split(conf.batch):
            loss = nn.functional.mse_loss(model(train[0][idx]).squeeze(1), train[1][idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        v = mse(model, val)
        if epoch % 5 == 0:
            print(f"epoch {epoch} train {np.mean(losses):.4f} val {v:.4f} best {stopper.best:.4f}")
        if stopper.stop(v, model):
            print(f"no better validation loss for {conf.patience} epochs, stop after {epoch}")
            break
    model.load_state_dict(stopper.weights)
    print(f"val {mse(model, val):.4f} test {mse(model, test):.4f} test rmse {scale * mse(model, test) ** 0.5:.2f} MW")


if __name__ == "__main__":
    main()
