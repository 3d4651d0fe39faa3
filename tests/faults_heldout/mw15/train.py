"""Self-supervised features for small digit scans; the labels are used only by the linear probe at the end."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from views import random_view


class Encoder(nn.Module):
    def __init__(self, dim=64, proj=32):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(48 * 16, dim), nn.ReLU(),
        )
        self.projector = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, proj))

    def forward(self, x):
        return F.normalize(self.projector(self.trunk(x)), dim=1)


def nt_xent(a, b, temperature):
    n = len(a)
    z = torch.cat([a, b])
    sim = z @ z.T / temperature
    sim.fill_diagonal_(float("-inf"))
    partner = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, partner)


@torch.no_grad()
def features(model, x):
    model.eval()
    return model.trunk(x).numpy()


def main(opt):
    torch.manual_seed(opt.seed)
    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    x_tr, x_te, y_tr, y_te = train_test_split(x, data.target, test_size=0.25, random_state=opt.seed,
                                              stratify=data.target)
    model = Encoder()
    optim = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=1e-3)
    steps = opt.epochs * (len(x_tr) // opt.batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(optim, opt.lr, total_steps=steps, pct_start=0.15)
    for epoch in range(1, opt.epochs + 1):
        model.train()
        order = torch.randperm(len(x_tr))
        total = n = 0
        for i in range(0, len(order) - opt.batch + 1, opt.batch):
            batch = x_tr[order[i:i + opt.batch]]
            loss = nt_xent(model(random_view(batch)), model(random_view(batch)), opt.temperature)
            optim.zero_grad()
            loss.backward()
            optim.step()
            sched.step()
            total, n = total + loss.item(), n + 1
        if epoch % 5 == 0:
            with torch.no_grad():
                model.eval()
                held = nt_xent(model(random_view(x_te[:opt.batch])), model(random_view(x_te[:opt.batch])),
                               opt.temperature).item()
            print(f"epoch {epoch:2d}  contrastive loss {total / n:.3f}  held-out {held:.3f}")

    few = 100
    probe = LogisticRegression(max_iter=2000).fit(features(model, x_tr), y_tr)
    small = LogisticRegression(max_iter=2000).fit(features(model, x_tr)[:few], y_tr[:few])
    raw = LogisticRegression(max_iter=2000).fit(x_tr[:few].flatten(1).numpy(), y_tr[:few])
    f_te = features(model, x_te)
    print(f"linear probe: all labels {probe.score(f_te, y_te):.3f}  {few} labels {small.score(f_te, y_te):.3f}  "
          f"({few} labels on raw pixels {raw.score(x_te.flatten(1).numpy(), y_te):.3f})")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch", type=int, default=192)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--temperature", type=float, default=0.2)
    p.add_argument("--seed", type=int, default=4)
    main(p.parse_args())
