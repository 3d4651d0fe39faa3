import csv
import os

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

here = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(17)
rng = np.random.default_rng(17)

# snapshot of the feature store: columns are z-scored there, target is 0/1
with open(os.path.join(here, "snapshot.csv"), newline="") as fh:
    reader = csv.reader(fh)
    header = next(reader)
    table = np.array([[float(v) for v in row] for row in reader], dtype=np.float32)

target = header.index("defaulted")
columns = [i for i in range(len(header)) if i != target]
X = table[:, columns]
y = table[:, target]

perm = rng.permutation(len(X))
cut = int(0.8 * len(X))
tr, va = perm[:cut], perm[cut:]
Xtr, ytr = torch.from_numpy(X[tr]), torch.from_numpy(y[tr])
Xva, yva = torch.from_numpy(X[va]), torch.from_numpy(y[va])
print(f"{len(tr)} train / {len(va)} valid, {X.shape[1]} features, default rate {y.mean():.3f}")

net = nn.Sequential(
    nn.Linear(X.shape[1], 32),
    nn.ReLU(),
    nn.Linear(32, 16),
    nn.ReLU(),
    nn.Linear(16, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
bce = nn.BCEWithLogitsLoss()

batch = 64
for epoch in range(1, 16):
    net.train()
    order = torch.randperm(len(Xtr))
    running = 0.0
    for start in range(0, len(order), batch):
        pick = order[start:start + batch]
        opt.zero_grad()
        loss = bce(net(Xtr[pick]).squeeze(1), ytr[pick])
        loss.backward()
        opt.step()
        running += loss.item() * len(pick)

    net.eval()
    with torch.no_grad():
        score = net(Xva).squeeze(1)
        vloss = bce(score, yva).item()
    auc = roc_auc_score(yva.numpy(), score.numpy())
    print(f"{epoch:3d}  logloss {running / len(order):.4f}  valid {vloss:.4f}  auc {auc:.4f}")
