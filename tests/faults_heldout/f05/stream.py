"""Online regressor in scikit-learn style: predicts the heat load of a plant from a stream of sensor chunks."""
import numpy as np
import torch
from torch import nn


class OnlineRegressor:
    def __init__(self, hidden=48, lr=0.004, momentum=0.95, weight_decay=1e-5, seed=0):
        self.hidden, self.lr, self.momentum, self.weight_decay, self.seed = hidden, lr, momentum, weight_decay, seed
        self.net_ = None

    def _build(self, n_in):
        torch.manual_seed(self.seed)
        self.net_ = nn.Sequential(
            nn.Linear(n_in, self.hidden), nn.SiLU(),
            nn.Linear(self.hidden, self.hidden), nn.SiLU(),
            nn.Linear(self.hidden, 1),
        )

    def _optimizer(self):
        return torch.optim.SGD(self.net_.parameters(), lr=self.lr, momentum=self.momentum,
                               weight_decay=self.weight_decay, nesterov=True)

    def partial_fit(self, X, y):
        if self.net_ is None:
            self._build(X.shape[1])
        opt = self._optimizer()
        self.net_.train()
        xb, yb = torch.as_tensor(X, dtype=torch.float32), torch.as_tensor(y, dtype=torch.float32)
        loss = nn.functional.mse_loss(self.net_(xb).squeeze(1), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss.item()

    def predict(self, X):
        self.net_.eval()
        with torch.no_grad():
            return self.net_(torch.as_tensor(X, dtype=torch.float32)).squeeze(1).numpy()

    def score(self, X, y):
        p = self.predict(X)
        return 1 - ((p - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()


class Plant:
    """Endless source of (sensors, load) chunks."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.mix = np.random.default_rng(99).normal(size=(8, 8)) / np.sqrt(8)

    def chunk(self, n):
        x = self.rng.normal(size=(n, 8)) @ (np.eye(8) + 0.5 * self.mix)
        y = np.sin(1.3 * x[:, 0]) + 0.6 * x[:, 1] * x[:, 2] + 0.4 * np.abs(x[:, 3]) + 0.3 * x[:, 4]
        return x, y + 0.1 * self.rng.normal(size=n)


def main():
    plant = Plant(seed=1)
    x_hold, y_hold = Plant(seed=2).chunk(2000)
    reg = OnlineRegressor()
    recent = []
    for k in range(1, 2401):
        recent.append(reg.partial_fit(*plant.chunk(32)))
        if k % 300 == 0:
            print(f"chunk {k:5d}  mse {np.mean(recent[-200:]):.4f}  holdout R2 {reg.score(x_hold, y_hold):.4f}")


if __name__ == "__main__":
    main()
