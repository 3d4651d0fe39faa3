"""Flag patients with fast disease progression (top fifth) from ten baseline measurements."""
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

SEED = 8
CUTOFF = 218.0


def read_cohort(path):
    table = np.genfromtxt(path, delimiter=",", names=True)
    columns = [c for c in table.dtype.names if c != "progression"]
    x = np.stack([table[c] for c in columns], axis=1)
    return x, (table["progression"] > CUTOFF).astype(int), columns


def balance(x, y, rng):
    """Resample the rarer class with replacement until both classes are equally frequent."""
    counts = np.bincount(y)
    rare = counts.argmin()
    extra = rng.choice(np.flatnonzero(y == rare), counts.max() - counts.min())
    return np.concatenate([x, x[extra]]), np.concatenate([y, y[extra]])


def prepare(path):
    rng = np.random.default_rng(SEED)
    x, y, columns = read_cohort(path)
    print(f"{len(y)} patients, {y.sum()} fast progressors, {len(columns)} measurements")
    x, y = balance(x, y, rng)
    x_tr, x_va, y_tr, y_va = train_test_split(x, y, test_size=0.25, stratify=y, random_state=SEED)
    scaler = StandardScaler().fit(x_tr)

    def tensors(a, b):
        return torch.tensor(scaler.transform(a), dtype=torch.float32), torch.tensor(b, dtype=torch.float32)

    return tensors(x_tr, y_tr), tensors(x_va, y_va)


class Screener(nn.Module):
    def __init__(self, n_in, width=96, depth=3, dropout=0.1):
        super().__init__()
        self.lift = nn.Linear(n_in, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout))
            for _ in range(depth))
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = self.lift(x)
        for block in self.blocks:
            h = h + block(h)
        return self.head(h).squeeze(-1)


def fit(train, val, epochs=30, batch=32, lr=1e-3):
    model = Screener(train[0].shape[1])
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    history = []
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[0])).split(batch):
            optimizer.zero_grad()
            loss = criterion(model(train[0][idx]), train[1][idx])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        scheduler.step()
        model.eval()
        with torch.no_grad():
            logits = model(val[0])
            val_loss = criterion(logits, val[1]).item()
        auc = roc_auc_score(val[1], logits)
        bal = balanced_accuracy_score(val[1], logits > 0)
        history.append((auc, bal))
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d}  train {total / len(train[0]):.4f}  val {val_loss:.4f}  AUC {auc:.3f}  balanced acc {bal:.3f}")
    return history


if __name__ == "__main__":
    torch.manual_seed(SEED)
    train, val = prepare(Path(__file__).parent / "cohort.csv")
    auc, bal = fit(train, val)[-1]
    print(f"screening model: AUC {auc:.3f}, balanced accuracy {bal:.3f}")
