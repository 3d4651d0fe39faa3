import math

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        opt = cfg["optim"]
        self.clip = opt["clip"]
        self.optimizer = torch.optim.Adam(model.parameters(), lr=opt["lr"], betas=tuple(opt["betas"]))

    def loss(self, x, y):
        logits, _ = self.model(x)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten())

    def train_epoch(self, loader):
        self.model.train()
        total, n = 0.0, 0
        for x, y in loader:
            loss = self.loss(x, y)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()
            total += loss.item() * len(x)
            n += len(x)
        return total / n

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        total, n = 0.0, 0
        for x, y in loader:
            total += self.loss(x, y).item() * len(x)
            n += len(x)
        return total / n

    def fit(self, train_loader, valid_loader, epochs):
        for epoch in range(1, epochs + 1):
            tr = self.train_epoch(train_loader)
            va = self.evaluate(valid_loader)
            print(f"epoch {epoch:2d} | train nll {tr:.3f} | valid nll {va:.3f} | valid ppl {math.exp(va):.2f}")
