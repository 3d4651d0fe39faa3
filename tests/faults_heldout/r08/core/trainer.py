import logging

import torch

log = logging.getLogger("trainer")


class Trainer:
    def __init__(self, model, optimizer, criterion, train_loader, val_loader, max_epochs, log_every=5):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.max_epochs = max_epochs
        self.log_every = log_every
        self.step = 0

    def training_step(self, batch):
        x, y = batch
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.step += 1
        return loss.item()

    def fit(self):
        self.optimizer.zero_grad()
        for epoch in range(self.max_epochs):
            self.model.train()
            losses = [self.training_step(b) for b in self.train_loader]
            if epoch % self.log_every == 0 or epoch == self.max_epochs - 1:
                vloss, acc = self.validate()
                log.info("epoch %d step %d train %.4f val %.4f acc %.3f", epoch, self.step,
                         sum(losses) / len(losses), vloss, acc)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss = hits = n = 0
        for x, y in self.val_loader:
            z = self.model(x)
            loss += self.criterion(z, y).item() * len(y)
            hits += ((z > 0) == (y > 0.5)).sum().item()
            n += len(y)
        return loss / n, hits / n
