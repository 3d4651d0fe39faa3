import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--table", default="biopsies.csv")
ap.add_argument("--epochs", type=int, default=60)
ap.add_argument("--batch-size", type=int, default=32)
ap.add_argument("--lr", type=float, default=1e-3)
ap.add_argument("--seed", type=int, default=11)
args = ap.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)

# ---- load -------------------------------------------------------------
df = pd.read_csv(Path(__file__).parent / args.table)
feature_cols = [c for c in df.columns if c not in ("case_id", "diagnosis")]
x = df[feature_cols].to_numpy(np.float32)
y = df["diagnosis"].to_numpy(np.float32)
print(f"{len(df)} biopsies, {len(feature_cols)} measurements")

perm = rng.permutation(len(df))
n_test = len(df) // 4
test_idx, train_idx = perm[:n_test], perm[n_test:]

mean, std = x[train_idx].mean(0), x[train_idx].std(0) + 1e-6
x = (x - mean) / std

x_train, y_train = torch.from_numpy(x[train_idx]), torch.from_numpy(y[train_idx])
x_test, y_test = torch.from_numpy(x[test_idx]), torch.from_numpy(y[test_idx])
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=args.batch_size, shuffle=True)

# ---- model ------------------------------------------------------------
net = nn.Sequential(
    nn.Linear(len(feature_cols), 32),
    nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(32, 16),
    nn.ReLU(),
    nn.Linear(16, 1),
)
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)


def evaluate(xs, ys):
    net.eval()
    with torch.no_grad():
        logits = net(xs).squeeze(1)
        hit = ((logits > 0).float() == ys).float().mean().item()
        return criterion(logits, ys).item(), hit


# ---- fit --------------------------------------------------------------
for epoch in range(1, args.epochs + 1):
    net.train()
    running, seen = 0.0, 0
    for xb, yb in loader:
        opt.zero_grad()
        loss = criterion(net(xb).squeeze(1), yb)
        loss.backward()
        opt.step()
        running += loss.item() * len(xb)
        seen += len(xb)
    if epoch % 5 == 0 or epoch == 1:
        test_loss, test_acc = evaluate(x_test, y_test)
        print(f"epoch {epoch:3d}  train loss {running / seen:8.4f}  test loss {test_loss:8.4f}  test acc {test_acc:.3f}")

print("final test accuracy %.3f" % evaluate(x_test, y_test)[1])
