"""Stage 1: contrastive pre-training without labels. Stage 2: linear probe with few labels on the fixed encoder."""
import argparse

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from encoder import Encoder, Projector, nt_xent
from views import make_view


def load(seed):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=400, stratify=d.target, random_state=seed)
    return x[tr], y[tr], x[te], y[te]


def pretrain(enc, x, a, gen):
    proj = Projector(enc.out_dim)
    params = list(enc.parameters()) + list(proj.parameters())
    opt = torch.optim.AdamW(params, lr=a.lr, weight_decay=1e-4)
    steps = a.epochs * (len(x) // a.batch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    enc.train()
    for epoch in range(1, a.epochs + 1):
        order = torch.randperm(len(x), generator=gen)
        total, n = 0.0, 0
        for k in range(len(x) // a.batch):            # full batches only: the loss depends on the number of negatives
            xb = x[order[k * a.batch:(k + 1) * a.batch]]
            loss = nt_xent(proj(enc(make_view(xb, gen))), proj(enc(make_view(xb, gen))), a.temperature)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total, n = total + loss.item(), n + 1
        if epoch % 5 == 0 or epoch == 1:
            print(f"contrastive epoch {epoch:3d}  loss {total / n:.4f}")


@torch.no_grad()
def features(enc, x):
    enc.eval()
    return enc(x)


def probe(enc, data, per_class, gen, steps=300):
    x, y, xt, yt = data
    pick = torch.cat([torch.where(y == c)[0][:per_class] for c in range(10)])
    f, ft = features(enc, x), features(enc, xt)
    mu, sd = f.mean(0), f.std(0) + 1e-5
    f, ft = (f[pick] - mu) / sd, (ft - mu) / sd
    head = nn.Linear(f.size(1), 10)
    opt = torch.optim.AdamW(head.parameters(), lr=5e-3, weight_decay=0.1)
    for step in range(steps):
        idx = torch.randint(len(f), (64,), generator=gen)
        loss = nn.functional.cross_entropy(head(f[idx]), y[pick][idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        return loss.item(), (head(ft).argmax(1) == yt).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--temperature", type=float, default=0.2)
    p.add_argument("--labels-per-class", type=int, default=10)
    p.add_argument("--seed", type=int, default=4)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    gen = torch.Generator().manual_seed(a.seed)
    data = load(a.seed)
    enc = Encoder()
    _, acc0 = probe(enc, data, a.labels_per_class, gen)
    print(f"probe on the untrained encoder: test accuracy {acc0:.3f}")
    pretrain(enc, data[0], a, gen)
    for p_ in enc.parameters():
        p_.requires_grad_(False)
    loss, acc = probe(enc, data, a.labels_per_class, gen)
    print(f"probe after pre-training: loss {loss:.4f}  test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
