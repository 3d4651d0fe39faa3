import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, balanced_accuracy_score
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def datasets():
    t = torch.from_numpy(np.load("visits.npy"))
    x, y = t[:, :-1], t[:, -1]
    n = 6400
    mean, std = x[:n].mean(0), x[:n].std(0)
    x = (x - mean) / std
    return TensorDataset(x[:n], y[:n]), TensorDataset(x[n:], y[n:])


class Trainer:
    def __init__(self, epochs=9, batch_size=64):
        self.epochs = epochs
        self.train_set, self.test_set = datasets()
        y = self.train_set.tensors[1].long()
        weight = (1.0 / torch.bincount(y).float())[y]
        # buyers and the others about equally often
        sampler = WeightedRandomSampler(weight, num_samples=len(y), replacement=True)
        self.loader = DataLoader(self.train_set, batch_size=batch_size, sampler=sampler)
        self.net = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3, weight_decay=0.01)
        self.crit = nn.BCEWithLogitsLoss()

    def logits(self, x):
        return self.net(x).squeeze(-1)

    def one_epoch(self):
        self.net.train()
        total = 0.0
        for x, y in self.loader:
            loss = self.crit(self.logits(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(self.loader)

    @torch.no_grad()
    def test(self, ds):
        self.net.eval()
        x, y = ds.tensors
        p = torch.sigmoid(self.logits(x))
        return balanced_accuracy_score(y, p > 0.5), average_precision_score(y, p)

    def fit(self):
        for e in range(self.epochs):
            loss = self.one_epoch()
            tr, te = self.test(self.train_set), self.test(self.test_set)
            print(f"epoch {e + 1:2d} loss {loss:.3f} | train bal.acc {tr[0]:.3f} | test bal.acc {te[0]:.3f} AP {te[1]:.3f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    Trainer().fit()
