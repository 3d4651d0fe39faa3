import logging

import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import Diabetes
from model import build_mlp

logging.basicConfig(level=logging.INFO, format="%(levelname)s | %(message)s")


class Experiment:
    def __init__(self, epochs=30, lr=3e-3, batch_size=16):
        torch.manual_seed(42)
        self.epochs = epochs
        self.train_dl = DataLoader(Diabetes("train"), batch_size=batch_size, shuffle=True)
        self.val_dl = DataLoader(Diabetes("val"), batch_size=batch_size)
        self.model = build_mlp()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr, weight_decay=1e-3)
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for features, target in self.train_dl:
            prediction = self.model(features)
            loss = self.criterion(prediction, target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(target)
        return total / len(self.train_dl.dataset)

    @torch.no_grad()
    def r2(self):
        self.model.eval()
        p = torch.cat([self.model(f).flatten() for f, _ in self.val_dl])
        t = torch.cat([t for _, t in self.val_dl])
        return 1 - ((p - t) ** 2).mean().item() / t.var(unbiased=False).item()

    def run(self):
        for epoch in range(self.epochs):
            loss = self.train_epoch()
            if epoch % 3 == 2:
                logging.info("epoch %d mse %.4f val R2 %.3f", epoch + 1, loss, self.r2())


if __name__ == "__main__":
    Experiment().run()
