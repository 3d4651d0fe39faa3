import torch
import torch.nn.functional as F
from torch.optim import Adam


class Trainer:
    def __init__(self, model, lr, epochs, batch_size):
        self.model = model
        self.lr = lr
        self.epochs = epochs
        self.batch_size = batch_size

    def train_epoch(self, x, y):
        self.model.train()
        optimizer = Adam(self.model.parameters(), lr=self.lr)
        total = 0.0
        for idx in torch.randperm(len(x)).split(self.batch_size):
            loss = F.mse_loss(self.model(x[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        return total / len(x)

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        err = self.model(x) - y
        return err.pow(2).mean().item(), 1 - (err.pow(2).mean() / y.var()).item()

    def fit(self, train, test):
        for epoch in range(self.epochs):
            loss = self.train_epoch(*train)
            if (epoch + 1) % 25 == 0:
                mse, r2 = self.evaluate(*test)
                print(f"epoch {epoch + 1:4d}  train mse {loss:.4f}  test mse {mse:.4f}  R2 {r2:.4f}")
