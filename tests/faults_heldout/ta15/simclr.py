import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split


def augment(x, gen):
    """Shift by up to one pixel, scale contrast, add noise, blank a 2x2 patch."""
    n = len(x)
    padded = F.pad(x, (1, 1, 1, 1))
    dy, dx = (torch.randint(0, 3, (n,), generator=gen) for _ in range(2))
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    out = padded[torch.arange(n)[:, None, None], 0, rows[:, :, None], cols[:, None, :]]
    out = out * (0.7 + 0.6 * torch.rand(n, 1, 1, generator=gen))
    out = out + 0.08 * torch.randn(out.shape, generator=gen)
    py, px = (torch.randint(0, 7, (n, 1, 1), generator=gen) for _ in range(2))
    r, c = torch.arange(8).view(1, 8, 1), torch.arange(8).view(1, 1, 8)
    hole = (r >= py) & (r < py + 2) & (c >= px) & (c < px + 2)
    return out.masked_fill(hole, 0.0).unsqueeze(1)


def nt_xent(a, b, temperature):
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.t() / temperature
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def encoder():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Conv2d(32, 64, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
        nn.Flatten(),
    )


@torch.no_grad()
def probe(enc, xtr, ytr, xte, yte):
    enc.eval()
    clf = LogisticRegression(max_iter=300).fit(enc(xtr).numpy(), ytr)
    acc = clf.score(enc(xte).numpy(), yte)
    enc.train()
    return acc


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--temperature", type=float, default=0.3)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)

    digits = load_digits()
    imgs = torch.from_numpy((digits.images / 16.0).astype(np.float32)).unsqueeze(1)
    xtr, xte, ytr, yte = train_test_split(imgs, digits.target, test_size=0.25, random_state=6, stratify=digits.target)
    few = np.random.default_rng(6).choice(len(xtr), 100, replace=False)

    enc = encoder()
    projector = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 32))
    opt = torch.optim.AdamW([*enc.parameters(), *projector.parameters()], lr=a.lr, weight_decay=1e-4)
    print(f"100-label probe before pre-training: {probe(enc, xtr[few], ytr[few], xte, yte):.3f}")
    for epoch in range(1, a.epochs + 1):
        total, count = 0.0, 0
        for idx in torch.randperm(len(xtr)).split(a.batch):
            if len(idx) < a.batch:
                continue
            v1, v2 = augment(xtr[idx], gen), augment(xtr[idx], gen)
            h = projector(enc(torch.cat([v1, v2])))
            loss = nt_xent(*h.chunk(2), a.temperature)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total, count = total + loss.item(), count + 1
        print(f"epoch {epoch:2d}  nt-xent {total / count:.4f}")
    print(f"100-label probe after pre-training:  {probe(enc, xtr[few], ytr[few], xte, yte):.3f}")


if __name__ == "__main__":
    main()
