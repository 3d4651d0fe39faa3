import torch
import torch.nn.functional as F


class Runner:
    def __init__(self, model, optimizer, train_loader, val_loader, max_epochs):
        self.model = model
        self.optimizer = optimizer
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.max_epochs = max_epochs
        self.epoch = 0
        self.hooks = []
        self.outputs = {}

    def register(self, *hooks):
        self.hooks.extend(hooks)
        return self

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self):
        self.call("before_run")
        for self.epoch in range(self.max_epochs):
            self.model.train()
            self.call("before_epoch")
            for x, y in self.train_loader:
                self.call("before_step")
                logits = self.model(x)
                loss = F.cross_entropy(logits, y)
                self.outputs = {"loss": loss, "logits": logits}
                loss.backward()
                self.call("after_step")
            self.call("after_epoch")
        self.call("after_run")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        hit = n = 0
        for x, y in self.val_loader:
            hit += (self.model(x).argmax(1) == y).sum().item()
            n += len(y)
        return hit / n
