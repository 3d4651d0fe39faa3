"""NO2 at the crossings of a city network from traffic and building data.

One graph, all crossings present during training; the readings are only known to the
loss at the training crossings (mask), the others are held back for checking.
"""
import numpy as np
import torch
from scipy.spatial import cKDTree
from torch import nn
import torch.nn.functional as F

SEED = 8
N = 3000


def build_city(n, seed):
    r = np.random.default_rng(seed)
    pos = r.random((n, 2))
    _, nb = cKDTree(pos).query(pos, 7)
    rows = np.repeat(np.arange(n), 6)
    cols = nb[:, 1:].reshape(-1)
    rows, cols = np.r_[rows, cols, np.arange(n)], np.r_[cols, rows, np.arange(n)]
    pairs = np.unique(np.stack([rows, cols]), axis=1)
    deg = np.bincount(pairs[0], minlength=n).astype(np.float32)
    adj = torch.sparse_coo_tensor(torch.from_numpy(pairs), torch.from_numpy(1 / deg[pairs[0]]), (n, n),
                                  check_invariants=True).coalesce()
    centre = np.exp(-8 * ((pos - 0.5) ** 2).sum(1))
    traffic = r.gamma(2.0, 0.5, n) * (0.6 + centre)
    canyon = r.beta(2, 3, n)
    green = r.beta(1.5, 4, n) * (1.2 - centre)
    diesel = np.clip(r.normal(0.4, 0.12, n), 0.05, 0.9)
    emit = torch.from_numpy((traffic * (0.5 + diesel)).astype(np.float32))[:, None]
    one = torch.sparse.mm(adj, emit)
    two = torch.sparse.mm(adj, one)
    no2 = 12 + 9 * emit[:, 0].numpy() * (0.4 + canyon) + 22 * one[:, 0].numpy() + 12 * two[:, 0].numpy() - 8 * green
    no2 = no2 + r.normal(0, 2.5, n)
    x = np.stack([traffic, canyon, green, diesel, centre], 1).astype(np.float32)
    return adj, x, no2.astype(np.float32)


class SageLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.own, self.near = nn.Linear(i, o), nn.Linear(i, o, bias=False)

    def forward(self, adj, h):
        return self.own(h) + self.near(torch.sparse.mm(adj, h))


class CityNet(nn.Module):
    def __init__(self, n_in, hidden=32):
        super().__init__()
        self.l1, self.l2, self.out = SageLayer(n_in, hidden), SageLayer(hidden, hidden), nn.Linear(hidden, 1)

    def forward(self, adj, x):
        h = F.relu(self.l1(adj, x))
        h = F.relu(self.l2(adj, h))
        return self.out(h).squeeze(-1)


torch.manual_seed(SEED)
adj, x, y = build_city(N, SEED)
perm = np.random.default_rng(SEED + 1).permutation(N)
train_mask, val_mask, test_mask = (torch.zeros(N, dtype=torch.bool) for _ in range(3))
train_mask[perm[:1800]] = True
val_mask[perm[1800:2400]] = True
test_mask[perm[2400:]] = True

feats = torch.from_numpy((x - x.mean(0)) / x.std(0))
ym, ys = y[train_mask.numpy()].mean(), y[train_mask.numpy()].std()
target = torch.from_numpy((y - ym) / ys)

net = CityNet(feats.shape[1])
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=1e-4)
EPOCHS = 200
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for epoch in range(1, EPOCHS + 1):
    net.train()
    opt.zero_grad()
    out = net(adj, feats)
    loss = F.mse_loss(out[train_mask], target[train_mask])
    loss.backward()
    opt.step()
    sched.step()
    if epoch % 25 == 0:
        net.eval()
        with torch.no_grad():
            err = (net(adj, feats) - target) * float(ys)
        rm = [err[k].pow(2).mean().sqrt().item() for k in (train_mask, val_mask, test_mask)]
        print("epoch %3d loss %.4f  rmse train %.2f val %.2f test %.2f ug/m3" % (epoch, loss.item(), *rm))
print("std of the readings %.2f ug/m3" % y.std())
