import argparse

import numpy as np
import torch
from torch import nn

from scoring import listwise, ndcg

parser = argparse.ArgumentParser(description="rank statutes for a legal question")
parser.add_argument("--pool", default="statutes.npz")
parser.add_argument("--queries-for-test", type=int, default=70)
parser.add_argument("--epochs", type=int, default=40)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
pool = np.load(args.pool)
feats = torch.from_numpy(pool["features"].astype("float32"))
grades = torch.from_numpy(pool["grades"].astype("float32"))
cut = len(feats) - args.queries_for_test
train_x, train_g = feats[:cut], grades[:cut]
test_x, test_g = feats[cut:], grades[cut:]


class Scorer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 32), nn.ReLU(), nn.Dropout(0.2),
                                 nn.Linear(32, 1))

    def forward(self, docs):
        return self.net(docs).squeeze(-1)


ranker = Scorer(feats.shape[-1])
opt = torch.optim.AdamW(ranker.parameters(), lr=5e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

for epoch in range(1, args.epochs + 1):
    ranker.train()
    total = 0.0
    for idx in torch.randperm(cut).split(10):
        loss = listwise(ranker(train_x[idx]), train_g[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    ranker.eval()
    with torch.no_grad():
        scores = ranker(test_x)
        line = f"loss {total / cut:.4f} test loss {listwise(scores, test_g).item():.4f}"
    print(f"{epoch:3d} {line} ndcg@10 {ndcg(scores, test_g):.4f}")
