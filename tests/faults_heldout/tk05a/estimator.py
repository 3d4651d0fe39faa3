"""scikit-learn flavoured regressor that learns from chunks of data."""
import numpy as np
import torch
from torch import nn


class ChunkRegressor:
    def __init__(self, hidden=(64, 64), lr=0.03, warm_start=True, seed=0):
        self.hidden = hidden
        self.lr = lr
        self.warm_start = warm_start
        self.seed = seed
        self.net_ = None
        self.optimizer_ = None

    def _build(self, n_features):
        torch.manual_seed(self.seed)
        layers, width = [], n_features
        for h in self.hidden:
            layers += [nn.Linear(width, h), nn.SiLU()]
            width = h
        layers.append(nn.Linear(width, 1))
        self.net_ = nn.Sequential(*layers)
        self.loss_ = nn.MSELoss()

    def partial_fit(self, x, y):
        """One update on a chunk; returns the loss of the chunk."""
        x = torch.as_tensor(x, dtype=torch.float32)
        y = torch.as_tensor(y, dtype=torch.float32)
        if self.net_ is None:
            self._build(x.shape[1])
        if self.optimizer_ is None or not self.warm_start:
            self.optimizer_ = torch.optim.Adagrad(self.net_.parameters(), lr=self.lr)
        self.net_.train()
        loss = self.loss_(self.net_(x).squeeze(1), y)
        self.optimizer_.zero_grad()
        loss.backward()
        self.optimizer_.step()
        return loss.item()

    @torch.no_grad()
    def predict(self, x):
        self.net_.eval()
        x = torch.as_tensor(x, dtype=torch.float32)
        return self.net_(x).squeeze(1).numpy()

    def score(self, x, y):
        residual = y - self.predict(x)
        return 1.0 - float(np.sum(residual ** 2) / np.sum((y - y.mean()) ** 2))
