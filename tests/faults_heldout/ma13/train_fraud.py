import csv

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

from detector import FraudNet

SEED, EPOCHS, BATCH, LR = 2024, 12, 64, 2e-3
NUMERIC = ["amount", "hour", "age_days", "tx_24h", "distance"]
CATEGORICAL = ["channel", "country", "merchant"]


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    num = np.array([[float(r[c]) for c in NUMERIC] for r in rows], dtype=np.float32)
    cat = np.array([[int(r[c]) for c in CATEGORICAL] for r in rows])
    label = np.array([float(r["fraud"]) for r in rows], dtype=np.float32)
    return num, cat, label


def focal(logits, target, gamma=1.0):
    bce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p_t = torch.exp(-bce)
    return ((1 - p_t) ** gamma * bce).mean()


torch.manual_seed(SEED)
num, cat, label = read_table("transactions.csv")
num[:, [0, 2, 4]] = np.log1p(num[:, [0, 2, 4]])
perm = np.random.default_rng(SEED).permutation(len(label))
test, train = perm[: len(perm) // 4], perm[len(perm) // 4:]
mu, sd = num[train].mean(0), num[train].std(0)
num = (num - mu) / sd

tensors = lambda idx: [torch.from_numpy(a[idx]) for a in (num, cat, label)]
loader = DataLoader(TensorDataset(*tensors(train)), batch_size=BATCH, shuffle=True)
num_t, cat_t, label_t = tensors(test)

prior = float(label[train].mean())
net = FraudNet(len(NUMERIC), (cat.max(0) + 1).tolist(), hidden=64, prior=prior)
opt = torch.optim.Adam(net.parameters(), lr=LR)
print(f"{len(train)} transactions, base rate {prior:.3f}")

for epoch in range(EPOCHS):
    net.train()
    losses = []
    for n, c, t in loader:
        loss = focal(net(n, c), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        score = net(num_t, cat_t)
        held = focal(score, label_t).item()
    print(f"{epoch + 1:2d}: focal {np.mean(losses):.4f} / {held:.4f}   "
          f"AUC {roc_auc_score(label_t, score):.3f}   AP {average_precision_score(label_t, score):.3f}")
