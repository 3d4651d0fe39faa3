import numpy as np
import pandas as pd
import torch
import argparse

p = argparse.ArgumentParser(description="book recommender, biased matrix factorisation")
p.add_argument("--ratings", default="ratings.csv")
p.add_argument("--rank", type=int, default=4)
p.add_argument("--epochs", type=int, default=30)
p.add_argument("--lr", type=float, default=0.01)
p.add_argument("--reg", type=float, default=0.04)
p.add_argument("--batch", type=int, default=128)
p.add_argument("--seed", type=int, default=5)
a = p.parse_args()

torch.manual_seed(a.seed)
rng = np.random.default_rng(a.seed)

df = pd.read_csv(a.ratings)
df = df.drop_duplicates(["reader", "book"], keep="last")
readers = {r: i for i, r in enumerate(sorted(df.reader.unique()))}
books = {b: i for i, b in enumerate(sorted(df.book.unique()))}
u = torch.tensor(df.reader.map(readers).to_numpy())
b = torch.tensor(df.book.map(books).to_numpy())
s = torch.tensor(df.stars.to_numpy(), dtype=torch.float32)

fold = torch.tensor(rng.choice(3, size=len(df), p=[0.8, 0.1, 0.1]))
train, val, test = (torch.nonzero(fold == k).squeeze(1) for k in range(3))
print(f"{len(readers)} readers, {len(books)} books, {len(train)}/{len(val)}/{len(test)} ratings")


class MF(torch.nn.Module):
    def __init__(self, n_u, n_b, rank, mean):
        super().__init__()
        self.pu = torch.nn.Embedding(n_u, rank)
        self.qb = torch.nn.Embedding(n_b, rank)
        self.bu = torch.nn.Embedding(n_u, 1)
        self.bb = torch.nn.Embedding(n_b, 1)
        self.register_buffer("mean", mean)
        for e in (self.pu, self.qb):
            torch.nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bb):
            torch.nn.init.zeros_(e.weight)

    def forward(self, i, j):
        pu, qb, bu, bb = self.pu(i), self.qb(j), self.bu(i).squeeze(1), self.bb(j).squeeze(1)
        pred = self.mean + bu + bb + (pu * qb).sum(1)
        penalty = (pu ** 2).sum(1) + (qb ** 2).sum(1) + bu ** 2 + bb ** 2
        return pred, penalty.mean()


model = MF(len(readers), len(books), a.rank, s[train].mean())
opt = torch.optim.Adam(model.parameters(), lr=a.lr)
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.epochs)


def rmse(idx):
    model.eval()
    with torch.no_grad():
        pred, _ = model(u[idx], b[idx])
    return (pred.clamp(0.5, 5) - s[idx]).pow(2).mean().sqrt().item()


best = (9.0, None, None)
for epoch in range(a.epochs):
    model.train()
    for k in train[torch.randperm(len(train))].split(a.batch):
        pred, penalty = model(u[k], b[k])
        loss = (pred - s[k]).pow(2).mean() + a.reg * penalty
        opt.zero_grad()
        loss.backward()
        opt.step()
    sched.step()
    v = rmse(val)
    if v < best[0]:
        best = (v, epoch, {k: t.clone() for k, t in model.state_dict().items()})
    print(f"{epoch:2d} train {rmse(train):.4f} val {v:.4f}")

model.load_state_dict(best[2])
base = (s[test] - s[train].mean()).pow(2).mean().sqrt().item()
print(f"epoch {best[1]}: test rmse {rmse(test):.4f} (global mean {base:.4f})")
