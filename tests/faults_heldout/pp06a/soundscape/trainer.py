import torch
from torch import nn


class Callback:
    def on_epoch_end(self, trainer, logs):
        pass


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, trainer, logs):
        if trainer.epoch % self.every == 0:
            print("  ".join([f"epoch {trainer.epoch:3d}"] + [f"{k} {v:.4f}" for k, v in logs.items()]))


class History(Callback):
    def __init__(self):
        self.rows = []

    def on_epoch_end(self, trainer, logs):
        self.rows.append(dict(logs, epoch=trainer.epoch))


class Trainer:
    def __init__(self, model, optimizer, scheduler, callbacks):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler
        self.callbacks = callbacks
        self.criterion = nn.CrossEntropyLoss()
        self.epoch = 0

    def _pass(self, loader, train):
        self.model.train(train)
        loss_sum = hits = n = 0
        with torch.set_grad_enabled(train):
            for mel, tag in loader:
                out = self.model(mel)
                loss = self.criterion(out, tag)
                if train:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                loss_sum += loss.item() * len(tag)
                hits += (out.argmax(1) == tag).sum().item()
                n += len(tag)
        return loss_sum / n, hits / n

    def fit(self, train_loader, valid_loader, epochs):
        for self.epoch in range(1, epochs + 1):
            tl, ta = self._pass(train_loader, True)
            vl, va = self._pass(valid_loader, False)
            self.scheduler.step()
            logs = {"loss": tl, "acc": ta, "val_loss": vl, "val_acc": va}
            for cb in self.callbacks:
                cb.on_epoch_end(self, logs)
