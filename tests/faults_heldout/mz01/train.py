import argparse
import math

import numpy as np
import torch
from sklearn.metrics import average_precision_score, precision_recall_curve
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from data import load
from losses import FocalLoss


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch-size", type=int, default=128)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


class Scorer(nn.Module):
    def __init__(self, n_in, prior):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 48), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(48, 24), nn.ReLU(),
        )
        self.out = nn.Linear(24, 1)
        # start from the base rate, as in the RetinaNet paper
        nn.init.constant_(self.out.bias, -math.log((1 - prior) / prior))

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


@torch.no_grad()
def scores(model, x):
    model.eval()
    return torch.sigmoid(model(torch.from_numpy(x))).numpy()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    (xtr, ytr), (xva, yva), (xte, yte) = load()
    xtr, xva, xte = (a.astype(np.float32) for a in (xtr, xva, xte))
    print(f"train {len(xtr)}  fraud rate {ytr.mean():.4f}")

    loader = DataLoader(TensorDataset(torch.from_numpy(xtr), torch.from_numpy(ytr)),
                        batch_size=args.batch_size, shuffle=True)
    model = Scorer(xtr.shape[1], float(ytr.mean()))
    criterion = FocalLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)

    for epoch in range(args.epochs):
        model.train()
        total, n = 0.0, 0
        for xb, yb in loader:
            opt.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
            n += len(xb)
        s = scores(model, xva)
        with torch.no_grad():
            val = criterion(model(torch.from_numpy(xva)), torch.from_numpy(yva)).item()
        print(f"epoch {epoch:2d}  train {total / n:.5f}  val {val:.5f}  AP {average_precision_score(yva, s):.3f}")

    # operating point picked on validation, reported on test
    prec, rec, thr = precision_recall_curve(yva, scores(model, xva))
    f1 = 2 * prec[:-1] * rec[:-1] / np.maximum(prec[:-1] + rec[:-1], 1e-9)
    t = thr[f1.argmax()]
    s = scores(model, xte)
    hit = (s >= t) & (yte == 1)
    print(f"test AP {average_precision_score(yte, s):.3f} (base rate {yte.mean():.3f})  "
          f"precision {hit.sum() / max((s >= t).sum(), 1):.3f}  recall {hit.sum() / yte.sum():.3f} at {t:.2f}")


if __name__ == "__main__":
    main()
