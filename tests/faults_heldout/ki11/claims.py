"""Large-loss claims (about one in twenty): a small MLP, rare claims drawn more often."""
import numpy as np
import torch
from sklearn.metrics import average_precision_score, balanced_accuracy_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class Trainer:
    def __init__(self, table, seed=0, lr=1e-3, epochs=12):
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(table))
        n = int(0.7 * len(table))
        self.mean, self.std = table[order[:n], :-1].mean(0), table[order[:n], :-1].std(0)
        self.train, self.test = self._tensors(table[order[:n]]), self._tensors(table[order[n:]])
        self.net = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 16), nn.SiLU(), nn.Linear(16, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=0.02)
        self.epochs = epochs
        y = self.train[1]
        share = y.mean()
        weights = torch.where(y == 1, 0.25 / share, 0.75 / (1 - share))
        sampler = WeightedRandomSampler(weights, num_samples=len(y), replacement=True)
        self.loader = DataLoader(TensorDataset(*self.train), batch_size=64, sampler=sampler)
        self.loss = nn.BCEWithLogitsLoss()

    def _tensors(self, rows):
        return (torch.tensor((rows[:, :-1] - self.mean) / self.std, dtype=torch.float32), torch.tensor(rows[:, -1], dtype=torch.float32))

    @torch.no_grad()
    def measure(self, part):
        self.net.eval()
        p = torch.sigmoid(self.net(part[0]).squeeze(1)).numpy()
        self.net.train()
        y = part[1].numpy()
        return balanced_accuracy_score(y, p > 0.5), average_precision_score(y, p)

    def run(self):
        for epoch in range(self.epochs):
            losses = []
            for x, y in self.loader:
                loss = self.loss(self.net(x).squeeze(1), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            a, b = self.measure(self.train), self.measure(self.test)
            print(f"[{epoch + 1:02d}] loss {np.mean(losses):.4f} balanced acc {a[0]:.3f}/{b[0]:.3f} average precision {a[1]:.3f}/{b[1]:.3f}")


if __name__ == "__main__":
    Trainer(np.loadtxt("claims.csv", delimiter=",")).run()
