"""Cultivar of wines from 13 chemical measurements: 5-fold cross-validated small network with early stopping."""
import argparse
import copy

import numpy as np
import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PowerTransformer, StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def update(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


def build(n_in, n_out, width, dropout):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(width, n_out),
    )


def tensors(x, y):
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.long)


def train_fold(x_fit, y_fit, x_stop, y_stop, args):
    model = build(x_fit.shape[1], 3, args.width, args.dropout)
    weight = torch.bincount(y_fit).float().reciprocal()
    criterion = nn.CrossEntropyLoss(weight=weight / weight.mean())
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=8)
    stopper = EarlyStopping(args.patience)
    loader = DataLoader(TensorDataset(x_fit, y_fit), batch_size=args.batch_size, shuffle=True, drop_last=True)
    for epoch in range(args.max_epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            train_loss = criterion(model(x), y)
            train_loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            stop_loss = criterion(model(x_stop), y_stop).item()
        plateau.step(stop_loss)
        if stopper.update(stop_loss, model):
            break
    model.load_state_dict(stopper.state)
    return model, epoch + 1, stopper.best


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.2)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--max-epochs", type=int, default=80)
    ap.add_argument("--patience", type=int, default=15)
    args = ap.parse_args()

    torch.manual_seed(55)
    x, y = load_wine(return_X_y=True)
    scores = []
    folds = StratifiedKFold(args.folds, shuffle=True, random_state=55)
    for k, (tr, te) in enumerate(folds.split(x, y)):
        fit, stop = train_test_split(tr, test_size=0.2, stratify=y[tr], random_state=k)
        prep = make_pipeline(PowerTransformer(), StandardScaler()).fit(x[fit])
        model, epochs, best = train_fold(*tensors(prep.transform(x[fit]), y[fit]),
                                         *tensors(prep.transform(x[stop]), y[stop]), args)
        model.eval()
        xt, yt = tensors(prep.transform(x[te]), y[te])
        with torch.no_grad():
            acc = (model(xt).argmax(1) == yt).float().mean().item()
        scores.append(acc)
        print(f"fold {k}: {epochs} epochs, stop-set loss {best:.4f}, test accuracy {acc:.4f}")
    print(f"cv accuracy {np.mean(scores):.4f} +- {np.std(scores):.4f}")


if __name__ == "__main__":
    main()
