"""Model selection by 4-fold cross-validation, then one refit and a single look at the test set."""
import argparse
import itertools

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from torch import nn

GRID = {"hidden": [8, 32], "lr": [2e-3, 6e-3], "weight_decay": [1e-3, 3e-2]}


class Tabular:
    def __init__(self, hidden, lr, weight_decay, epochs=14, batch=32):
        self.hidden, self.lr, self.wd, self.epochs, self.batch = hidden, lr, weight_decay, epochs, batch

    def fit(self, x, y):
        self.mean, self.std = x.mean(0), x.std(0)
        x = torch.tensor((x - self.mean) / self.std, dtype=torch.float32)
        y = torch.tensor(y, dtype=torch.float32)
        self.net = nn.Sequential(nn.Linear(x.shape[1], self.hidden), nn.ReLU(), nn.Dropout(0.2),
                                 nn.Linear(self.hidden, 1))
        opt = torch.optim.AdamW(self.net.parameters(), lr=self.lr, weight_decay=self.wd)
        bce = nn.BCEWithLogitsLoss()
        self.net.train()
        for _ in range(self.epochs):
            losses = []
            for idx in torch.randperm(len(x)).split(self.batch):
                opt.zero_grad()
                loss = bce(self.net(x[idx]).squeeze(1), y[idx])
                loss.backward()
                opt.step()
                losses.append(loss.item())
        self.last_loss = float(np.mean(losses))
        return self

    @torch.no_grad()
    def predict(self, x):
        self.net.eval()
        z = torch.tensor((x - self.mean) / self.std, dtype=torch.float32)
        return torch.sigmoid(self.net(z)).squeeze(1).numpy()


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--folds", type=int, default=4)
    cli.add_argument("--seed", type=int, default=17)
    cli = cli.parse_args()
    torch.manual_seed(cli.seed)
    x, y = load_breast_cancer(return_X_y=True)
    xd, xt, yd, yt = train_test_split(x, y, test_size=0.25, stratify=y, random_state=cli.seed)
    folds = StratifiedKFold(cli.folds, shuffle=True, random_state=cli.seed)

    table = []
    for values in itertools.product(*GRID.values()):
        setting = dict(zip(GRID, values))
        scores, losses = [], []
        for tr, va in folds.split(xd, yd):
            model = Tabular(**setting).fit(xd[tr], yd[tr])
            scores.append(roc_auc_score(yd[va], model.predict(xd[va])))
            losses.append(model.last_loss)
        table.append((np.mean(scores), setting))
        print(f"{setting}  train loss {np.mean(losses):.4f}  cv auc {np.mean(scores):.4f} +- {np.std(scores):.4f}")

    best = max(table, key=lambda t: t[0])[1]
    final = Tabular(**best, epochs=20).fit(xd, yd)
    p = final.predict(xt)
    print(f"chosen {best}: test auc {roc_auc_score(yt, p):.4f}  accuracy {((p > 0.5) == yt).mean():.4f}")


if __name__ == "__main__":
    main()
