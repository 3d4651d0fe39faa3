from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import classification_report, f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.utils import resample
from torch import nn

SEED = 21
torch.manual_seed(SEED)

# --- read the referral table
raw = np.genfromtxt(Path(__file__).parent / "referrals.csv", delimiter=",", skip_header=1)
X, y = raw[:, 1:-1], raw[:, -1].astype(int)
print("cases per outcome:", np.bincount(y))

# --- bring all outcomes to the same count
top = np.bincount(y).max()
parts = [resample(np.flatnonzero(y == c), n_samples=top, replace=True, random_state=SEED + c) if (y == c).sum() < top
         else np.flatnonzero(y == c) for c in np.unique(y)]
rows = np.concatenate(parts)
X, y = X[rows], y[rows]

# --- hold out
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, stratify=y, random_state=SEED)
sc = StandardScaler().fit(X_tr)
X_tr, X_te = (torch.tensor(sc.transform(a), dtype=torch.float32) for a in (X_tr, X_te))
y_tr, y_te = torch.tensor(y_tr), torch.tensor(y_te)

# --- model
net = nn.Sequential(
    nn.Linear(X_tr.shape[1], 128), nn.ELU(),
    nn.Linear(128, 128), nn.ELU(),
    nn.Linear(128, 3),
)
opt = torch.optim.Adamax(net.parameters(), lr=6e-3)
lossf = nn.CrossEntropyLoss()

for epoch in range(80):
    net.train()
    idx = torch.randperm(len(X_tr))
    s = 0.0
    for i in range(0, len(idx), 50):
        b = idx[i:i + 50]
        opt.zero_grad()
        l = lossf(net(X_tr[b]), y_tr[b])
        l.backward()
        opt.step()
        s += l.item() * len(b)
    net.eval()
    with torch.no_grad():
        o = net(X_te)
    p = o.argmax(1)
    if epoch % 8 == 7:
        print("epoch", epoch + 1, "train loss %.4f" % (s / len(idx)), "held-out loss %.4f" % lossf(o, y_te).item(),
              "held-out macro F1 %.3f" % f1_score(y_te, p, average="macro"))

print(classification_report(y_te, p, digits=3))
