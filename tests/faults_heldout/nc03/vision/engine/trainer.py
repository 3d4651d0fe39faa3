import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, optimizer, callbacks, epochs):
        self.model, self.optimizer = model, optimizer
        self.callbacks, self.epochs = callbacks, epochs
        self.criterion = nn.CrossEntropyLoss()
        self.epoch = 0

    def _call(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def _train_epoch(self, loader):
        self.model.train()
        total, count = 0.0, 0
        for x, y in loader:
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
            self._call("on_batch_end")
        return total / count

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss = correct = count = 0
        for x, y in loader:
            out = self.model(x)
            loss += self.criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            count += len(y)
        return loss / count, correct / count

    def fit(self, train_loader, val_loader):
        self._call("on_fit_start")
        for self.epoch in range(1, self.epochs + 1):
            train_loss = self._train_epoch(train_loader)
            val_loss, val_acc = self.evaluate(val_loader)
            self._call("on_epoch_end", {"train_loss": train_loss, "val_loss": val_loss, "val_acc": val_acc})
        self._call("on_fit_end")
