# matrix factorisation for the reading club's ratings
import argparse
import csv
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

here = Path(__file__).resolve().parent
ap = argparse.ArgumentParser()
ap.add_argument("--ratings", type=Path, default=here / "ratings.csv")
ap.add_argument("--rank", type=int, default=6)
ap.add_argument("--epochs", type=int, default=18)
ap.add_argument("--batch", type=int, default=256)
ap.add_argument("--lr", type=float, default=0.01)
ap.add_argument("--decay", type=float, default=0.02, help="L2 pull on the factors of the batch")
ap.add_argument("--lr-step", type=int, default=5, help="drop the learning rate every N units")
ap.add_argument("--lr-gamma", type=float, default=0.5)
ap.add_argument("--lr-unit", choices=["epoch", "batch"], default="epoch")
ap.add_argument("--seed", type=int, default=0)
args = ap.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)

with open(args.ratings, newline="") as f:
    table = [(int(r["reader"]), int(r["book"]), float(r["stars"])) for r in csv.DictReader(f)]
readers = {r: n for n, r in enumerate(sorted({t[0] for t in table}))}
books = {b: n for n, b in enumerate(sorted({t[1] for t in table}))}
u = torch.tensor([readers[t[0]] for t in table])
b = torch.tensor([books[t[1]] for t in table])
s = torch.tensor([t[2] for t in table])

perm = torch.from_numpy(rng.permutation(len(s)))
test, fit = perm[: len(s) // 10], perm[len(s) // 10:]
mean = s[fit].mean()


class Factors(nn.Module):
    def __init__(self, n_readers, n_books, rank, offset):
        super().__init__()
        self.reader = nn.Embedding(n_readers, rank)
        self.book = nn.Embedding(n_books, rank)
        self.reader_bias = nn.Embedding(n_readers, 1)
        self.book_bias = nn.Embedding(n_books, 1)
        self.register_buffer("offset", offset)
        for e in (self.reader, self.book):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.reader_bias, self.book_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, b):
        p, q = self.reader(u), self.book(b)
        bias = (self.reader_bias(u) + self.book_bias(b)).squeeze(1)
        score = self.offset + bias + (p * q).sum(1)
        return score, p.square().sum(1).mean() + q.square().sum(1).mean()


model = Factors(len(readers), len(books), args.rank, mean)
opt = torch.optim.Adam(model.parameters(), lr=args.lr)
sched = torch.optim.lr_scheduler.StepLR(opt, args.lr_step, args.lr_gamma)


def rmse(rows):
    model.eval()
    with torch.no_grad():
        out = model(u[rows], b[rows])[0].clamp(0.5, 5.0)
        err = (out - s[rows]).square().mean().sqrt().item()
    model.train()
    return err


print(f"{len(s)} ratings, {len(readers)} readers, {len(books)} books")
print(f"always the mean: test rmse {(s[test] - mean).square().mean().sqrt():.3f}")
for epoch in range(args.epochs):
    total = 0.0
    for rows in fit[torch.randperm(len(fit))].split(args.batch):
        score, size = model(u[rows], b[rows])
        mse = (score - s[rows]).square().mean()
        loss = mse + args.decay * size
        opt.zero_grad()
        loss.backward()
        opt.step()
        if args.lr_unit == "batch":
            sched.step()
        total += mse.item() * len(rows)
    if args.lr_unit == "epoch":
        sched.step()
    print(f"epoch {epoch + 1:2d}  fit mse {total / len(fit):.4f}  test rmse {rmse(test):.4f}")
