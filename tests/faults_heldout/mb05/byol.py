"""Representations of short oscilloscope traces without labels (BYOL), judged by a linear probe on 60 labelled traces."""
import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression


@dataclass
class Settings:
    epochs: int = 30
    batch: int = 128
    lr: float = 1.5e-3
    weight_decay: float = 1e-4
    tau: float = 0.97
    dim: int = 64
    seed: int = 5


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 24, 7, padding=3), nn.BatchNorm1d(24), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, 48, 5, padding=2), nn.BatchNorm1d(48), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(48, dim, 3, padding=1), nn.BatchNorm1d(dim), nn.ReLU(),
        )

    def forward(self, x):
        h = self.net(x)
        return h.mean(2)


def mlp(d_in, d_hidden, d_out):
    return nn.Sequential(nn.Linear(d_in, d_hidden), nn.BatchNorm1d(d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_out))


class BYOL(nn.Module):
    def __init__(self, dim, tau):
        super().__init__()
        self.online = nn.Sequential(Encoder(dim), mlp(dim, 128, 32))
        self.predictor = mlp(32, 64, 32)
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.tau = tau

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return 2 - F.cosine_similarity(pa, tb).mean() - F.cosine_similarity(pb, ta).mean()

    @torch.no_grad()
    def follow(self):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(o, 1 - self.tau)


def view(x):
    """Another recording of the same wave: later trigger, other gain, other drift of the base line, other noise."""
    n, _, length = x.shape
    crop = 80
    start = torch.randint(length - crop + 1, (n, 1))
    x = x.gather(2, (start + torch.arange(crop)).unsqueeze(1))
    t = torch.linspace(0, 2 * torch.pi, crop)
    drift = torch.sin(t * torch.empty(n, 1).uniform_(0.2, 1.2) + torch.empty(n, 1).uniform_(0, 2 * torch.pi))
    drift = drift * torch.randn(n, 1) * 0.8 + 0.5 * torch.randn(n, 1)
    return x * torch.empty(n, 1, 1).uniform_(0.7, 1.4) + drift.unsqueeze(1) + 0.15 * torch.randn_like(x)


@torch.no_grad()
def features(encoder, x):
    encoder.eval()
    return torch.cat([encoder(c) for c in x.split(400)]).numpy()


def probe(encoder, x_lab, y_lab, x_test, y_test):
    f, g = features(encoder, x_lab), features(encoder, x_test)
    mu, sd = f.mean(0), f.std(0) + 1e-3
    clf = LogisticRegression(max_iter=2000, C=0.3).fit((f - mu) / sd, y_lab)
    return clf.score((g - mu) / sd, y_test)


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    z = np.load("waves.npz")
    x = torch.from_numpy(z["x"].astype(np.float32)).unsqueeze(1)
    y = z["y"].astype(int)
    n_train = 1200
    x = (x - x[:n_train].mean()) / x[:n_train].std()
    labelled = slice(0, 60)
    test = slice(n_train, None)

    model = BYOL(cfg.dim, cfg.tau)
    enc = model.online[0]
    print("untrained probe %.3f" % probe(enc, x[labelled], y[labelled], x[test], y[test]))
    trainable = list(model.online.parameters()) + list(model.predictor.parameters())
    opt = torch.optim.AdamW(trainable, lr=cfg.lr, weight_decay=cfg.weight_decay)
    steps = cfg.epochs * (n_train // cfg.batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

    for epoch in range(1, cfg.epochs + 1):
        model.train()
        total = 0.0
        batches = torch.randperm(n_train).split(cfg.batch)[: n_train // cfg.batch]
        for idx in batches:
            loss = model(view(x[idx]), view(x[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            model.follow()
            total += loss.item()
        if epoch % 5 == 0:
            f = features(enc, x[test])
            acc = probe(enc, x[labelled], y[labelled], x[test], y[test])
            print(f"epoch {epoch:3d} loss {total / len(batches):.4f} feature spread {f.std(0).mean():.3f} probe {acc:.3f}")


if __name__ == "__main__":
    main()
