import argparse
import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

parser = argparse.ArgumentParser(description="churn scoring")
parser.add_argument("--csv", default="subscribers.csv")
parser.add_argument("--epochs", type=int, default=24)
parser.add_argument("--hidden", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
args = parser.parse_args()

torch.manual_seed(11)
rng = np.random.default_rng(11)


def balance(X, y):
    """Repeat the smaller class until both are the same size."""
    pos, neg = np.where(y == 1)[0], np.where(y == 0)[0]
    extra = rng.choice(pos, len(neg) - len(pos), replace=True)
    keep = np.concatenate([neg, pos, extra])
    return X[keep], y[keep]


def split(X, y, frac=0.25):
    order = rng.permutation(len(y))
    cut = int(len(y) * frac)
    return X[order[cut:]], y[order[cut:]], X[order[:cut]], y[order[:cut]]


raw = np.loadtxt(args.csv, delimiter=",", skiprows=1, dtype=np.float32)
X, y = raw[:, :-1], raw[:, -1]
print(f"{len(y)} subscribers, {int(y.sum())} left")

X, y = balance(X, y)
X_train, y_train, X_val, y_val = split(X, y)

mu, sd = X_train.mean(0), X_train.std(0)
X_train, X_val = [torch.from_numpy((a - mu) / sd) for a in (X_train, X_val)]
y_train, y_val = torch.from_numpy(y_train), torch.from_numpy(y_val)

model = nn.Sequential(
    nn.Linear(X.shape[1], args.hidden), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(args.hidden, args.hidden), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(args.hidden, 1),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(1, args.epochs + 1):
    model.train()
    losses = []
    for idx in torch.randperm(len(y_train)).split(32):
        optimizer.zero_grad()
        loss = criterion(model(X_train[idx]).squeeze(1), y_train[idx])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if epoch % 6 == 0:
        model.eval()
        with torch.no_grad():
            logit = model(X_val).squeeze(1)
            vloss = criterion(logit, y_val).item()
        auc = roc_auc_score(y_val.numpy(), logit.numpy())
        acc = ((logit > 0).float() == y_val).float().mean().item()
        print(f"{epoch:3d}: train {np.mean(losses):.4f}  val {vloss:.4f}  auc {auc:.3f}  acc {acc:.3f}")
