"""Churn model on the contract export. Reports ROC-AUC and average precision on a stratified hold-out."""
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn

from clean import read

NUMERIC = ["tenure_months", "monthly_fee", "data_gb", "support_calls", "late_payments", "modem_generation"]
CATEGORICAL = ["plan", "region", "channel"]

torch.manual_seed(2)
rows = read(Path(__file__).with_name("contracts.csv"), NUMERIC, CATEGORICAL, "churned")
num = np.array([r[0] for r in rows])
cat = [r[1] for r in rows]
y = np.array([r[2] for r in rows], dtype=np.float32)
tr, va = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=2)

# numeric: median imputation with an indicator, winsorised, standardised; everything fitted on the training part
median = np.nanmedian(num[tr], 0)
missing = np.isnan(num)
num = np.where(missing, median, num)
lo, hi = np.percentile(num[tr], [1, 99], axis=0)
num = np.clip(num, lo, hi)
num = (num - num[tr].mean(0)) / (num[tr].std(0) + 1e-6)
dense = torch.tensor(np.concatenate([num, missing], 1), dtype=torch.float32)

codes, sizes = [], []
for j in range(len(CATEGORICAL)):
    vocab = {v: k + 1 for k, v in enumerate(sorted({cat[i][j] for i in tr}))}
    codes.append([vocab.get(c[j], 0) for c in cat])
    sizes.append(len(vocab) + 1)
codes = torch.tensor(codes).T
target = torch.from_numpy(y)


class ChurnNet(nn.Module):
    def __init__(self, n_dense, sizes, emb=4):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(s, emb) for s in sizes)
        self.mlp = nn.Sequential(
            nn.Linear(n_dense + emb * len(sizes), 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))

    def forward(self, dense, codes):
        parts = [e(codes[:, j]) for j, e in enumerate(self.emb)]
        return self.mlp(torch.cat([dense, *parts], 1)).squeeze(1)


model = ChurnNet(dense.shape[1], sizes)
pos = y[tr].mean()
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - pos) / pos))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.02)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, total_steps=15 * -(-len(tr) // 64))
print(f"{len(y)} customers after cleaning, {100 * y.mean():.1f}% churned, {100 * missing.mean():.1f}% cells missing")

for epoch in range(15):
    model.train()
    total = 0.0
    for idx in np.array_split(np.random.default_rng(epoch).permutation(tr), -(-len(tr) // 64)):
        loss = criterion(model(dense[idx], codes[idx]), target[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        out = model(dense[va], codes[va])
        vloss = criterion(out, target[va]).item()
    auc, ap = roc_auc_score(y[va], out.numpy()), average_precision_score(y[va], out.numpy())
    print(f"{epoch:2d}  loss {total / len(tr):.4f}  val {vloss:.4f}  auc {auc:.3f}  ap {ap:.3f}")
