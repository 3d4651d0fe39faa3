"""A small training engine: the loop only fires events, everything else is a hook."""
from torch import nn


class Hook:
    def __init__(self, priority):
        self.priority = priority

    def on_batch(self, engine):
        pass

    def on_epoch_end(self, engine):
        pass


class Backward(Hook):
    def on_batch(self, engine):
        engine.loss.backward()


class ClipGradient(Hook):
    def __init__(self, priority, max_norm):
        super().__init__(priority)
        self.max_norm = max_norm

    def on_batch(self, engine):
        nn.utils.clip_grad_norm_(engine.model.parameters(), self.max_norm)


class Update(Hook):
    def on_batch(self, engine):
        engine.optimizer.step()


class ClearGradient(Hook):
    def on_batch(self, engine):
        engine.optimizer.zero_grad()


class LossMeter(Hook):
    def __init__(self, priority):
        super().__init__(priority)
        self.total, self.n = 0.0, 0

    def on_batch(self, engine):
        self.total += engine.loss.item()
        self.n += 1

    def on_epoch_end(self, engine):
        print(f"epoch {engine.epoch:2d}  contrastive loss {self.total / self.n:.4f}", end="  ")
        self.total, self.n = 0.0, 0


HOOKS = {
    "backward": Backward,
    "clip_gradient": ClipGradient,
    "update": Update,
    "clear_gradient": ClearGradient,
    "loss_meter": LossMeter,
}


class Engine:
    def __init__(self, model, criterion, optimizer, hooks):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.hooks = sorted(hooks, key=lambda h: h.priority)
        self.epoch = 0

    def fire(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def run(self, loader, epochs):
        for self.epoch in range(1, epochs + 1):
            self.model.train()
            for left, right, same in loader:
                self.loss = self.criterion(self.model(left), self.model(right), same)
                self.fire("on_batch")
            self.fire("on_epoch_end")
