import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from simclr import Encoder, Projector, nt_xent
from views import load, random_view


def pretrain(encoder, x, epochs, batch=140):
    head = Projector()
    opt = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=2e-3)
    for ep in range(epochs):
        encoder.train()
        losses = []
        for idx in torch.randperm(len(x)).split(batch):
            z1 = head(encoder(random_view(x[idx])))
            z2 = head(encoder(random_view(x[idx])))
            loss = nt_xent(z1, z2)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"pretrain {ep + 1:2d}  nt-xent {sum(losses) / len(losses):.4f}")


def linear_probe(encoder, train, test, steps=300):
    for p in encoder.parameters():
        p.requires_grad_(False)
    encoder.eval()
    with torch.no_grad():
        f_tr, f_te = encoder(train[0]), encoder(test[0])
    mean, std = f_tr.mean(0), f_tr.std(0)
    f_tr, f_te = (f_tr - mean) / std, (f_te - mean) / std
    clf = nn.Linear(f_tr.shape[1], 10)
    opt = torch.optim.Adam(clf.parameters(), lr=1e-2, weight_decay=1e-4)
    for step in range(steps):
        loss = F.cross_entropy(clf(f_tr), train[1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % 100 == 0:
            acc = (clf(f_te).argmax(1) == test[1]).float().mean().item()
            print(f"probe step {step + 1}  loss {loss.item():.4f}  test acc {acc:.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--labels", type=int, default=500, help="labelled images for the probe")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    (x, y), test = load(a.seed)
    enc = Encoder()
    pretrain(enc, x, a.epochs)
    linear_probe(enc, (x[:a.labels], y[:a.labels]), test)
