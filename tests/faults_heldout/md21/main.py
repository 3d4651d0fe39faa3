import copy

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.model_selection import train_test_split

from node_model import GCN, propagation

torch.manual_seed(55)
z = np.load("citations.npz")
x, y = torch.tensor(z["feat"].astype(np.float32)), torch.tensor(z["label"].astype(np.int64))
a = propagation(torch.tensor(z["edge"].astype(np.int64)), len(y))
rest, test = train_test_split(np.arange(len(y)), test_size=500, stratify=y, random_state=1)
train, val = train_test_split(rest, test_size=400, stratify=y[rest], random_state=1)
x = F.normalize(x, dim=1) * 5.0

net = GCN(x.shape[1], 48, 5)
opt = torch.optim.Adam([{"params": net.w1.parameters(), "weight_decay": 2e-3}, {"params": net.w2.parameters()}], lr=0.01)
best, keep, wait = 9.9, None, 0
for epoch in range(1, 401):
    net.train()
    loss = F.cross_entropy(net(x, a)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        out = net(x, a)
    v = F.cross_entropy(out[val], y[val]).item()
    if v < best:
        best, keep, wait = v, copy.deepcopy(net.state_dict()), 0
    else:
        wait += 1
    if epoch % 25 == 0:
        print(f"epoch {epoch} train {loss.item():.3f} val {v:.3f} acc {(out[val].argmax(1) == y[val]).float().mean():.3f}")
    if wait >= 40:
        break
net.load_state_dict(keep)
net.eval()
with torch.no_grad():
    out = net(x, a)
print(f"{len(train)} labelled nodes; test loss {F.cross_entropy(out[test], y[test]):.3f} acc {(out[test].argmax(1) == y[test]).float().mean():.3f}")
