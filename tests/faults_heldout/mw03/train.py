import argparse

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, precision_recall_curve, precision_score, recall_score
from torch.utils.data import DataLoader, TensorDataset

from simulate import transactions


class FraudNet(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


def predict(model, x):
    model.eval()
    with torch.no_grad():
        return torch.sigmoid(model(x)).numpy()


def best_threshold(y, p):
    prec, rec, thr = precision_recall_curve(y, p)
    f1 = 2 * prec * rec / np.maximum(prec + rec, 1e-9)
    return float(thr[np.argmax(f1[:-1])])


def main(a):
    torch.manual_seed(a.seed)
    x, y = transactions(a.rows, seed=a.seed + 1000)
    n1, n2 = int(0.6 * a.rows), int(0.8 * a.rows)
    mean, std = x[:n1].mean(0), x[:n1].std(0)
    x = torch.from_numpy((x - mean) / std)
    yt = torch.from_numpy(y)
    loader = DataLoader(TensorDataset(x[:n1], yt[:n1]), batch_size=256, shuffle=True)

    positives = yt[:n1].sum()
    ratio = (n1 - positives) / positives
    print(f"fraud rate {y.mean():.3%}, positive weight {ratio.sqrt():.1f}")
    model = FraudNet(x.shape[1])
    criterion = nn.BCEWithLogitsLoss(pos_weight=ratio.sqrt())
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.lr, total_steps=a.epochs * len(loader))

    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(yb)
        if epoch % 3 == 2:
            p = predict(model, x[n1:n2])
            print(f"epoch {epoch + 1:2d}  loss {total / n1:.4f}  val AP {average_precision_score(y[n1:n2], p):.3f}")

    cut = best_threshold(y[n1:n2], predict(model, x[n1:n2]))
    p = predict(model, x[n2:])
    flag = p >= cut
    print(f"test AP {average_precision_score(y[n2:], p):.3f}  threshold {cut:.2f}  "
          f"precision {precision_score(y[n2:], flag):.3f}  recall {recall_score(y[n2:], flag):.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=30000)
    ap.add_argument("--epochs", type=int, default=18)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
