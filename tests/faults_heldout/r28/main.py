import math

import torch
import torch.nn as nn
from sklearn.datasets import make_friedman1


class Regressor(nn.Module):
    def __init__(self, n_in, width=96):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                    nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def rate(step, total, peak, warmup=50):
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (0.1 + 0.45 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))))


class Learner:
    def __init__(self, peak_lr=4e-3, batch=24, epochs=15):
        torch.manual_seed(0)
        X, y = make_friedman1(2500, n_features=12, noise=1.0, random_state=0)
        X = torch.tensor((X - 0.5) * 3.46, dtype=torch.float32)
        y = torch.tensor((y - y[:2000].mean()) / y[:2000].std(), dtype=torch.float32)
        self.train, self.val = (X[:2000], y[:2000]), (X[2000:], y[2000:])
        self.model = Regressor(12)
        self.peak, self.batch, self.epochs = peak_lr, batch, epochs
        self.total = epochs * math.ceil(2000 / batch)
        self.step = 0

    def optimizer(self):
        lr = rate(self.step, self.total, self.peak)
        return torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.95, nesterov=True)

    def fit_batch(self, x, y):
        opt = self.optimizer()
        loss = nn.functional.mse_loss(self.model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        self.step += 1
        return loss.item()

    def fit(self):
        X, y = self.train
        for epoch in range(self.epochs):
            self.model.train()
            ls = [self.fit_batch(X[i], y[i]) for i in torch.randperm(len(X)).split(self.batch)]
            self.model.eval()
            with torch.no_grad():
                p = self.model(self.val[0])
                mse = nn.functional.mse_loss(p, self.val[1]).item()
            print(f"epoch {epoch:2d} train {sum(ls) / len(ls):.4f} val {mse:.4f} r2 {1 - mse / self.val[1].var().item():.3f}")


if __name__ == "__main__":
    Learner().fit()
