"""Label-free pre-training of a vibration encoder (BYOL), checked with a linear read-out."""
import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Settings:
    epochs: int = 30
    batch: int = 128
    lr: float = 2e-3
    weight_decay: float = 1e-4
    momentum: float = 0.98
    dim: int = 64
    seed: int = 4


def encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 24, 7, padding=3, padding_mode="circular", bias=False), nn.BatchNorm1d(24), nn.ReLU(),
        nn.Conv1d(24, 48, 5, stride=2, padding=2, bias=False), nn.BatchNorm1d(48), nn.ReLU(),
        nn.Conv1d(48, dim, 5, stride=2, padding=2, bias=False), nn.BatchNorm1d(dim), nn.ReLU(),
        nn.AdaptiveAvgPool1d(1), nn.Flatten())


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class Byol(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.m = s.momentum
        self.online = nn.Sequential(encoder(s.dim), mlp(s.dim, 128, 32))
        self.predictor = mlp(32, 64, 32)
        self.target = copy.deepcopy(self.online).requires_grad_(False)

    def forward(self, a, b):
        p, q = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return -(F.cosine_similarity(p, tb).mean() + F.cosine_similarity(q, ta).mean()) / 2

    @torch.no_grad()
    def follow(self):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(o, 1 - self.m)


def views(x):
    """Any start of the record, gain and sensor noise say nothing about the kind of vibration."""
    n, _, length = x.shape
    shift = torch.randint(0, length, (n, 1))
    idx = (torch.arange(length) + shift) % length
    x = x.gather(2, idx.unsqueeze(1))
    return x * (0.7 + 0.6 * torch.rand(n, 1, 1)) + 0.15 * torch.randn_like(x)


@torch.no_grad()
def features(net, x):
    net.eval()
    return net(x)


def readout(ftr, ytr, fte, yte):
    mu, sd = ftr.mean(0), ftr.std(0) + 1e-5
    ftr, fte = (ftr - mu) / sd, (fte - mu) / sd
    lin = nn.Linear(ftr.shape[1], 6)
    opt = torch.optim.LBFGS(lin.parameters(), max_iter=60)

    def closure():
        opt.zero_grad()
        loss = F.cross_entropy(lin(ftr), ytr) + 1e-3 * lin.weight.square().sum()
        loss.backward()
        return loss

    opt.step(closure)
    with torch.no_grad():
        return (lin(fte).argmax(1) == yte).float().mean().item()


def main(s=Settings()):
    torch.manual_seed(s.seed)
    raw = np.load("vibration.npz")
    x = torch.from_numpy(raw["wave"].astype(np.float32)).unsqueeze(1)
    y = torch.from_numpy(raw["kind"].astype(np.int64))
    xtr, xte, ytr, yte = x[:1300], x[1300:], y[:1300], y[1300:]
    few = torch.arange(120)  # labels exist for these records only

    model = Byol(s)
    print(f"read-out on raw samples {readout(xtr[few, 0], ytr[few], xte[:, 0], yte):.3f}, "
          f"on the untrained encoder {readout(features(model.online[0], xtr[few]), ytr[few], features(model.online[0], xte), yte):.3f}")
    learn = list(model.online.parameters()) + list(model.predictor.parameters())
    opt = torch.optim.AdamW(learn, lr=s.lr, weight_decay=s.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s.epochs)
    for epoch in range(s.epochs):
        model.train()
        total = []
        for idx in torch.randperm(len(xtr)).split(s.batch):
            if len(idx) < s.batch:
                continue
            loss = model(views(xtr[idx]), views(xtr[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            model.follow()
            total.append(loss.item())
        sched.step()
        if epoch % 5 == 4:
            f, g = features(model.online[0], xtr), features(model.online[0], xte)
            spread = F.normalize(f, dim=1).std(0).mean().item()
            print(f"epoch {epoch + 1}: loss {np.mean(total):.4f}  spread {spread:.3f}  read-out {readout(f[few], ytr[few], g, yte):.3f}")


main()
