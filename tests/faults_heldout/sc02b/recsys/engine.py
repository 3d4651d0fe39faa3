import math

import torch
import torch.nn.functional as F


class Engine:
    """Runs the epochs; gradients of `accumulate` batches are combined into one update."""

    def __init__(self, model, optimizer, accumulate=1):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.history = []

    def _train_epoch(self, loader):
        self.model.train()
        total = 0.0
        self.optimizer.zero_grad()
        for i, (users, items, stars) in enumerate(loader, start=1):
            loss = F.mse_loss(self.model(users, items), stars)
            (loss / self.accumulate).backward()
            if i % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item() * len(stars)
        return math.sqrt(total / len(loader.dataset))

    @torch.no_grad()
    def _valid_epoch(self, loader):
        self.model.eval()
        sq, ab = 0.0, 0.0
        for users, items, stars in loader:
            pred = self.model(users, items).clamp(0.5, 5.0)
            sq += F.mse_loss(pred, stars, reduction="sum").item()
            ab += F.l1_loss(pred, stars, reduction="sum").item()
        n = len(loader.dataset)
        return math.sqrt(sq / n), ab / n

    def fit(self, train, valid, epochs):
        for epoch in range(1, epochs + 1):
            train_rmse = self._train_epoch(train)
            rmse, mae = self._valid_epoch(valid)
            self.history.append((train_rmse, rmse, mae))
            if epoch == 1 or epoch % 3 == 0:
                print(f"[{epoch:02d}] train rmse={train_rmse:.4f} | valid rmse={rmse:.4f} mae={mae:.4f}")
        return min(h[1] for h in self.history)
