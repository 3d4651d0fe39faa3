import copy

import numpy as np
import torch
import torch.nn.functional as F

from model import Sage, mean_adjacency

torch.manual_seed(2)

graph = np.load("citations.npz")
x = torch.from_numpy(graph["words"].astype(np.float32))
y = torch.from_numpy(graph["topic"].astype(np.int64))
adj = mean_adjacency(torch.from_numpy(graph["edges"].astype(np.int64)), len(y))

perm = torch.randperm(len(y))
train, val, test = perm[:1400], perm[1400:1900], perm[1900:]
x = (x - x[train].mean(0)) / x[train].std(0)

model = Sage(x.shape[1], 32, int(y.max()) + 1, dropout=0.5)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

best, best_state, since = float("inf"), None, 0
for epoch in range(1, 301):
    model.train()
    opt.zero_grad()
    out = model(x, adj)
    loss = F.cross_entropy(out[train], y[train])
    loss.backward()
    opt.step()

    model.eval()
    with torch.no_grad():
        out = model(x, adj)
        train_loss = F.cross_entropy(out[train], y[train]).item()
        val_loss = F.cross_entropy(out[val], y[val]).item()
        val_acc = (out[val].argmax(1) == y[val]).float().mean().item()
    if val_loss < best:
        best, best_state, since = val_loss, copy.deepcopy(model.state_dict()), 0
    else:
        since += 1
    if epoch % 20 == 0:
        print(f"{epoch:4d} train {train_loss:.3f} val {val_loss:.3f} acc {val_acc:.3f}")
    if since == 40:
        print("stopped after epoch", epoch)
        break

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    out = model(x, adj)
print(f"best val loss {best:.3f}; test accuracy {(out[test].argmax(1) == y[test]).float().mean():.3f}")
