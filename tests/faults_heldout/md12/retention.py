import configparser
import csv

import torch
from sklearn.metrics import roc_auc_score
from torch import nn


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    cols = [c for c in rows[0] if c != "left"]
    levels = {c: sorted({r[c] for r in rows}) for c in cols}
    X = torch.tensor([[levels[c].index(r[c]) for c in cols] for r in rows])
    y = torch.tensor([float(r["left"]) for r in rows])
    return X, y, [len(levels[c]) for c in cols]


class EntityNet(nn.Module):
    def __init__(self, sizes, hidden, p):
        super().__init__()
        dims = [min(6, (n + 1) // 2 + 1) for n in sizes]
        self.tables = nn.ModuleList(nn.Embedding(n, d) for n, d in zip(sizes, dims))
        for t in self.tables:
            nn.init.normal_(t.weight, std=0.2)
        self.mlp = nn.Sequential(nn.Linear(sum(dims), hidden), nn.ReLU(), nn.Dropout(p), nn.Linear(hidden, 1))

    def forward(self, x):
        e = torch.cat([t(x[:, k]) for k, t in enumerate(self.tables)], 1)
        return self.mlp(e).squeeze(1)


cp = configparser.ConfigParser()
cp.read("retention.cfg")
c = cp["fit"]
torch.manual_seed(c.getint("seed"))
X, y, sizes = read("subscribers.csv")
perm = torch.randperm(len(y))
k = int(0.25 * len(y))
Xv, yv, Xt, yt = X[perm[:k]], y[perm[:k]], X[perm[k:]], y[perm[k:]]
net = EntityNet(sizes, c.getint("hidden"), c.getfloat("dropout"))
opt = torch.optim.AdamW(net.parameters(), lr=c.getfloat("lr"), weight_decay=c.getfloat("weight_decay"))
epochs, bs = c.getint("epochs"), c.getint("batch")
sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=epochs)
bce = nn.BCEWithLogitsLoss()
for ep in range(epochs):
    net.train()
    s = 0.0
    for b in torch.randperm(len(yt)).split(bs):
        opt.zero_grad()
        loss = bce(net(Xt[b]), yt[b])
        loss.backward()
        opt.step()
        s += loss.item() * len(b)
    sched.step()
    net.eval()
    with torch.no_grad():
        z = net(Xv)
    if (ep + 1) % 3 == 0:
        print("epoch %2d  train %.4f  holdout %.4f  auc %.3f" % (ep + 1, s / len(yt), bce(z, yv), roc_auc_score(yv, z)))
