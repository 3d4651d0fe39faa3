import argparse

import torch
from torch import nn

from ranking import listnet, make_queries, ndcg
from stopper import Stopper


class Scorer(nn.Module):
    def __init__(self, dim=16, width=64):
        super().__init__()
        self.q = nn.Linear(dim, width)
        self.d = nn.Linear(dim, width)
        self.head = nn.Sequential(nn.Linear(2 * width, 64), nn.SiLU(), nn.Linear(64, 1))

    def forward(self, q, d):
        a, b = self.q(q), self.d(d)
        return self.head(torch.cat([a * b, b], -1)).squeeze(-1)


p = argparse.ArgumentParser()
p.add_argument("--max-epochs", type=int, default=400)
p.add_argument("--patience", type=int, default=12)
p.add_argument("--seed", type=int, default=21)
o = p.parse_args()
torch.manual_seed(o.seed)

train, valid, test = make_queries(1500, 100), make_queries(500, 101), make_queries(500, 102)
net = Scorer()
opt = torch.optim.Adam(net.parameters(), lr=5e-4)
stop = Stopper(net, mode="max", patience=o.patience)
for epoch in range(o.max_epochs):
    net.train()
    acc = 0.0
    for idx in torch.randperm(len(train[0])).split(50):
        q, d, rel = (t[idx] for t in train)
        loss = listnet(net(q, d), rel)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        score = net(*valid[:2])
        v_loss, v_ndcg = listnet(score, valid[2]).item(), ndcg(score, valid[2])
    print(f"{epoch:3d} listnet {acc / len(train[0]):.4f} valid {v_loss:.4f} ndcg@5 {v_ndcg:.4f}")
    if stop.update(epoch, v_ndcg):
        break
stop.restore()
with torch.no_grad():
    net.eval()
    s = net(*test[:2])
    print(f"kept epoch {stop.best_epoch}; test ndcg@5 {ndcg(s, test[2]):.4f}, random order {ndcg(torch.rand_like(s), test[2]):.4f}")
