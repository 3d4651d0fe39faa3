import torch


class Callback:
    def before_step(self, trainer): pass
    def after_step(self, trainer): pass
    def after_epoch(self, trainer): pass


class ClipNorm(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_step(self, trainer):
        torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), self.max_norm)


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def after_epoch(self, trainer):
        if trainer.epoch % self.every == 0:
            print(f"epoch {trainer.epoch:3d}  train mse {trainer.train_loss:.4f}  held-out rmse {trainer.evaluate():.4f}")


class Trainer:
    def __init__(self, model, optimizer, loss_fn, train_batches, val, callbacks):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.train_batches, self.val, self.callbacks = train_batches, val, callbacks
        self.epoch = 0

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, epochs):
        for self.epoch in range(1, epochs + 1):
            self.model.train()
            total = n = 0
            for x, y in self.train_batches:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.emit("before_step")
                self.optimizer.step()
                self.emit("after_step")
                total += loss.item() * len(y)
                n += len(y)
            self.train_loss = total / n
            self.emit("after_epoch")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        x, y = self.val
        return (self.model(x) - y).pow(2).mean().sqrt().item()
