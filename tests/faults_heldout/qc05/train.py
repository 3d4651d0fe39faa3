"""Weekly units per store and product (log scale)."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    csv: str = "sales.csv"
    cats: tuple = ("store", "product", "weekday")
    nums: tuple = ("price", "promo")
    emb_dim: int = 8
    hidden: tuple = (64, 32)
    lr: float = 3e-3
    epochs: int = 12
    batch_size: int = 64
    seed: int = 1


class SalesNet(nn.Module):
    def __init__(self, sizes, n_num, emb_dim, hidden):
        super().__init__()
        self.embeddings = {name: nn.Embedding(n, emb_dim) for name, n in sizes.items()}
        self.names = list(sizes)
        width = emb_dim * len(sizes) + n_num
        layers = []
        for h in hidden:
            layers += [nn.Linear(width, h), nn.ReLU()]
            width = h
        self.body = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, cat, num):
        parts = [self.embeddings[n](cat[:, k]) for k, n in enumerate(self.names)]
        return self.body(torch.cat([*parts, num], dim=1)).squeeze(1)


def read(cfg):
    t = np.genfromtxt(cfg.csv, delimiter=",", names=True)
    cat = np.stack([t[c].astype(np.int64) for c in cfg.cats], 1)
    num = np.stack([np.log(t["price"]), t["promo"]], 1).astype(np.float32)
    y = np.log(t["units"] + 0.1).astype(np.float32)
    return torch.from_numpy(cat), torch.from_numpy(num), torch.from_numpy(y)


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    cat, num, y = read(cfg)
    perm = torch.randperm(len(y))
    tr, va = perm[:5600], perm[5600:]
    num = (num - num[tr].mean(0)) / num[tr].std(0)
    y = (y - y[tr].mean()) / y[tr].std()
    loader = DataLoader(TensorDataset(cat[tr], num[tr], y[tr]), cfg.batch_size, shuffle=True)
    sizes = {c: int(cat[:, k].max()) + 1 for k, c in enumerate(cfg.cats)}
    net = SalesNet(sizes, num.shape[1], cfg.emb_dim, cfg.hidden)
    print(net)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for epoch in range(cfg.epochs):
        net.train()
        s = 0.0
        for c, n, t in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(c, n), t)
            loss.backward()
            opt.step()
            s += loss.item() * len(t)
        sched.step()
        net.eval()
        with torch.no_grad():
            err = nn.functional.mse_loss(net(cat[va], num[va]), y[va]).item()
        print(f"epoch {epoch + 1}: train {s / len(tr):.4f}  valid {err:.4f}  R2 {1 - err / y[va].var().item():.3f}")


if __name__ == "__main__":
    main()
