import math

import torch
from torch import nn


class StrengthRegressor:
    """scikit-like wrapper: fit / predict on standardised tables."""

    def __init__(self, hidden=64, lr=0.006, lr_end=0.0006, batch_size=32, epochs=10, verbose=True):
        self.hidden = hidden
        self.lr = lr
        self.lr_end = lr_end
        self.batch_size = batch_size
        self.epochs = epochs
        self.verbose = verbose

    def _build(self, n_in):
        self.net = nn.Sequential(
            nn.Linear(n_in, self.hidden), nn.SiLU(),
            nn.Linear(self.hidden, self.hidden), nn.SiLU(),
            nn.Linear(self.hidden, 1),
        )

    def _rate(self, step, total):
        """Cosine from lr to lr_end."""
        return self.lr_end + 0.5 * (self.lr - self.lr_end) * (1 + math.cos(math.pi * step / total))

    def _set_rate(self, value):
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=value, momentum=0.95, nesterov=True)

    def fit(self, x, y, x_val, y_val):
        self._build(x.shape[1])
        per_epoch = math.ceil(len(x) / self.batch_size)
        step, total = 0, per_epoch * self.epochs
        for epoch in range(self.epochs):
            self.net.train()
            order = torch.randperm(len(x))
            running = 0.0
            for chunk in order.split(self.batch_size):
                self._set_rate(self._rate(step, total))
                loss = nn.functional.mse_loss(self.net(x[chunk]).squeeze(1), y[chunk])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                running += loss.item() * len(chunk)
                step += 1
            if self.verbose:
                err = (self.predict(x_val) - y_val).pow(2).mean()
                r2 = 1 - err / y_val.var(unbiased=False)
                print(f"epoch {epoch + 1:2d}  mse {running / len(x):.4f}  val mse {err:.4f}  R2 {r2:.4f}")
        return self

    @torch.no_grad()
    def predict(self, x):
        self.net.eval()
        return self.net(x).squeeze(1)
