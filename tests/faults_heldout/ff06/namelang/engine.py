import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, optimizer, train_loader, val_loader, callbacks=()):
        self.model, self.optimizer = model, optimizer
        self.train_loader, self.val_loader = train_loader, val_loader
        self.callbacks = list(callbacks)
        self.history = []

    def _emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, epochs):
        self.epochs = epochs
        self._emit("on_fit_start")
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for x, y in self.train_loader:
                loss = F.cross_entropy(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item()
                self._emit("on_batch_end")
            self.history.append({"epoch": epoch, "loss": total / len(self.train_loader), "acc": self.evaluate()})
            self._emit("on_epoch_end")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        hit = n = 0
        for x, y in self.val_loader:
            hit += (self.model(x).argmax(1) == y).sum().item()
            n += len(y)
        return hit / n
