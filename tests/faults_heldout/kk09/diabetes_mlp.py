import argparse

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="Disease progression from ten baseline variables")
parser.add_argument("--epochs", type=int, default=40)
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

torch.manual_seed(args.seed)
X, y = load_diabetes(return_X_y=True)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=args.seed)
mu, sd = X_tr.mean(0), X_tr.std(0)
ym, ys = y_tr.mean(), y_tr.std()


def tensors(a, b):
    return torch.tensor((a - mu) / sd, dtype=torch.float32), torch.tensor((b - ym) / ys, dtype=torch.float32)


train_loader = DataLoader(TensorDataset(*tensors(X_tr, y_tr)), batch_size=args.batch_size, shuffle=True)
x_test, y_test = tensors(X_te, y_te)

model = nn.Sequential(
    nn.Linear(10, 32),
    nn.ReLU(),
    nn.Dropout(0.1),
    nn.Linear(32, 16),
    nn.ReLU(),
    nn.Linear(16, 1),
)


def huber(pred, target, delta=1.0):
    err = (pred - target).abs()
    return torch.where(err < delta, 0.5 * err ** 2, delta * (err - 0.5 * delta)).mean()


optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-2)

for epoch in range(args.epochs):
    model.train()
    losses = []
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = huber(model(xb), yb)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if (epoch + 1) % 10 == 0:
        model.eval()
        with torch.no_grad():
            pred = model(x_test).numpy().ravel() * ys + ym
        mae = np.abs(pred - y_te).mean()
        r2 = 1 - ((pred - y_te) ** 2).sum() / ((y_te - y_te.mean()) ** 2).sum()
        print(f"epoch {epoch + 1:3d}  loss {np.mean(losses):.4f}  test MAE {mae:.1f}  R2 {r2:.3f}")
