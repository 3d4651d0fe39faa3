import torch


class Callback:
    def on_epoch_end(self, trainer, logs):
        pass


class PrintLogs(Callback):
    def __init__(self, every=1):
        self.every = every

    def on_epoch_end(self, trainer, logs):
        if trainer.epoch % self.every == 0:
            print(f"Epoch {trainer.epoch:3d} | " + " | ".join(f"{k} {v:.4f}" for k, v in logs.items()), flush=True)


class KeepBest(Callback):
    def __init__(self, key="val_acc"):
        self.key, self.best, self.state = key, -1.0, None

    def on_epoch_end(self, trainer, logs):
        if logs[self.key] > self.best:
            self.best = logs[self.key]
            self.state = {k: v.clone() for k, v in trainer.model.state_dict().items()}


class Trainer:
    def __init__(self, model, criterion, optimizer, scheduler=None, callbacks=()):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.callbacks = list(callbacks)
        self.epoch = 0

    def training_step(self, batch):
        x, y = batch
        self.optimizer.zero_grad()
        logits = self.model(x)
        loss = self.criterion(logits, y)
        loss.backward()
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        return loss.detach() * len(y), (logits.argmax(-1) == y).sum(), len(y)

    def train_epoch(self, loader):
        self.model.train()
        loss, hits, n = map(sum, zip(*(self.training_step(b) for b in loader)))
        return {"loss": float(loss / n), "acc": float(hits / n)}

    @torch.inference_mode()
    def validate(self, loader):
        self.model.eval()
        loss = hits = n = 0
        for x, y in loader:
            logits = self.model(x)
            loss += self.criterion(logits, y).item() * len(y)
            hits += (logits.argmax(-1) == y).sum().item()
            n += len(y)
        return {"val_loss": loss / n, "val_acc": hits / n}

    def fit(self, train_loader, val_loader, epochs):
        for self.epoch in range(1, epochs + 1):
            logs = self.train_epoch(train_loader)
            logs.update(self.validate(val_loader))
            for cb in self.callbacks:
                cb.on_epoch_end(self, logs)
        return self
