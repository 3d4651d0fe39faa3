from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class Config:
    data: str = "pump_log.npz"
    hidden: list = field(default_factory=lambda: [48, 48])
    lr: float = 1e-3
    batch: int = 64
    epochs: int = 15
    holdout: float = 0.3
    seed: int = 12


def load(cfg):
    log = np.load(cfg.data)
    x = torch.from_numpy(log["sensors"].astype(np.float32))
    y = torch.from_numpy(log["failure_24h"].astype(np.float32))
    ds = TensorDataset(x, y)
    n_hold = int(cfg.holdout * len(ds))
    return random_split(ds, [len(ds) - n_hold, n_hold], generator=torch.Generator().manual_seed(cfg.seed))


def mlp(n_in, hidden):
    layers = []
    for h in hidden:
        layers += [nn.Linear(n_in, h), nn.ReLU()]
        n_in = h
    return nn.Sequential(*layers, nn.Linear(n_in, 1))


@torch.no_grad()
def report(model, ds):
    model.eval()
    x, y = ds[:]
    pred = (torch.sigmoid(model(x).squeeze(1)) > 0.5).float()
    tp = ((pred == 1) & (y == 1)).sum().item()
    fp = ((pred == 1) & (y == 0)).sum().item()
    fn = ((pred == 0) & (y == 1)).sum().item()
    acc = (pred == y).float().mean().item()
    return acc, tp / max(tp + fp, 1), tp / max(tp + fn, 1)


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    train, hold = load(cfg)
    # statistics of the training part only
    xs = train[:][0]
    mu, sd = xs.mean(0), xs.std(0)
    train = TensorDataset((xs - mu) / sd, train[:][1])
    hold = TensorDataset((hold[:][0] - mu) / sd, hold[:][1])

    model = mlp(xs.shape[1], cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    crit = nn.BCEWithLogitsLoss()
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for x, y in DataLoader(train, batch_size=cfg.batch, shuffle=True):
            loss = crit(model(x).squeeze(1), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        acc, prec, rec = report(model, hold)
        print(f"{epoch:3d} loss {total / len(train):.4f}  holdout acc {acc:.3f} precision {prec:.3f} recall {rec:.3f}")


if __name__ == "__main__":
    main()
