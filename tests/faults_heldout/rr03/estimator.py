"""A small scikit-learn flavoured wrapper around a PyTorch MLP."""
import numpy as np
import torch
from torch import nn


class NeuralRegressor:
    def __init__(self, hidden=(64, 64), lr=0.01, momentum=0.95, batch_size=64,
                 max_iter=60, random_state=None, verbose=False):
        self.hidden = hidden
        self.lr = lr
        self.momentum = momentum
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose

    def _build(self, n_in, n_out):
        sizes = (n_in, *self.hidden)
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        layers.append(nn.Linear(sizes[-1], n_out))
        self.net_ = nn.Sequential(*layers)
        self.loss_ = nn.MSELoss()

    def partial_fit(self, X, y):
        """One gradient step on a mini-batch."""
        if not hasattr(self, "net_"):
            self._build(X.shape[1], y.shape[1])
        self.optimizer_ = torch.optim.SGD(self.net_.parameters(), lr=self.lr, momentum=self.momentum, nesterov=True)
        self.net_.train()
        self.optimizer_.zero_grad()
        loss = self.loss_(self.net_(X), y)
        loss.backward()
        self.optimizer_.step()
        return loss.item()

    def fit(self, X, y):
        if self.random_state is not None:
            torch.manual_seed(self.random_state)
        X = torch.as_tensor(X, dtype=torch.float32)
        y = torch.as_tensor(y, dtype=torch.float32)
        self._build(X.shape[1], y.shape[1])
        self.loss_curve_ = []
        for it in range(self.max_iter):
            losses = [self.partial_fit(X[idx], y[idx]) for idx in torch.randperm(len(X)).split(self.batch_size)]
            self.loss_curve_.append(float(np.mean(losses)))
            if self.verbose and (it + 1) % 10 == 0:
                print(f"Iteration {it + 1}, loss = {self.loss_curve_[-1]:.5f}")
        return self

    @torch.no_grad()
    def predict(self, X):
        self.net_.eval()
        return self.net_(torch.as_tensor(X, dtype=torch.float32)).numpy()
