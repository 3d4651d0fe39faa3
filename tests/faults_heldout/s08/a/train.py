import json, os
import numpy as np, torch
from torch import nn
from callbacks import EarlyStopping

D = os.path.dirname(os.path.abspath(__file__))


def series(n, seed):
    """electric load: daily + weekly cycle with a temperature effect"""
    r = np.random.default_rng(seed)
    t = np.arange(n)
    temp = 10 * np.sin(2 * np.pi * t / 700) + np.cumsum(r.normal(0, .15, n)) * .3
    y = 3 * np.sin(2 * np.pi * t / 24) + 1.5 * np.sin(2 * np.pi * t / 168) + .15 * np.maximum(temp, 0) + r.normal(0, .35, n)
    return np.stack([y, temp], 1).astype("float32")


def windows(s, look=48):
    xs = np.lib.stride_tricks.sliding_window_view(s, look, axis=0)[:-1]     # (n, 2, look)
    return torch.tensor(xs.copy()), torch.tensor(s[look:, :1].copy())


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(2, hidden, 5, stride=2), nn.ReLU(), nn.Conv1d(hidden, hidden, 5, stride=2), nn.ReLU())
        self.lin = nn.Sequential(nn.Flatten(), nn.LazyLinear(32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.lin(self.conv(x))


def main():
    cfg = json.load(open(os.path.join(D, "conf.json")))
    torch.manual_seed(cfg["seed"])
    raw = series(3000, 8)
    mu, sd = raw[:2200].mean(0), raw[:2200].std(0)
    raw = (raw - mu) / sd
    xtr, ytr = windows(raw[:2200])
    xva, yva = windows(raw[2200:])
    model = Forecaster(cfg["hidden"])
    model(xtr[:2])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    stop = EarlyStopping(**cfg["early_stopping"])
    for epoch in range(cfg["max_epochs"]):
        model.train()
        tot = 0.
        for i in torch.randperm(len(xtr)).split(cfg["batch_size"]):
            opt.zero_grad()
            loss = nn.functional.huber_loss(model(xtr[i]), ytr[i])
            loss.backward(); opt.step()
            tot += loss.item() * len(i)
        model.eval()
        with torch.no_grad():
            p = model(xva)
        logs = {"train_loss": tot / len(xtr), "val_loss": nn.functional.huber_loss(p, yva).item(), "val_mae": (p - yva).abs().mean().item()}
        print(epoch, {k: round(v, 4) for k, v in logs.items()})
        if stop.update(logs, model):
            print("stopping early")
            break
    stop.restore(model)
    model.eval()
    with torch.no_grad():
        print("final val mae", round((model(xva) - yva).abs().mean().item(), 4))


if __name__ == "__main__":
    main()
