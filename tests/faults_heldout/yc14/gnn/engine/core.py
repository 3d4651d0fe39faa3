import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, optimizer, train, val, hooks):
        self.model, self.optimizer = model, optimizer
        self.train_loader, self.val_loader = train, val
        self.hooks = hooks
        self.loss, self.step_now = None, True

    def call(self, event, *args):
        for h in self.hooks:
            getattr(h, event)(self, *args)

    def train_epoch(self):
        self.model.train()
        total = n = 0
        for i, g in enumerate(self.train_loader):
            self.call("before_batch", i)
            self.loss = F.cross_entropy(self.model(g), g.y)
            total += self.loss.item() * g.size
            n += g.size
            self.call("before_backward", i)
            self.loss.backward()
            if self.step_now:
                self.call("before_step")
                self.optimizer.step()
        return total / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss = hit = n = 0
        for g in self.val_loader:
            out = self.model(g)
            loss += F.cross_entropy(out, g.y, reduction="sum").item()
            hit += (out.argmax(1) == g.y).sum().item()
            n += g.size
        return loss / n, hit / n

    def run(self, epochs):
        for epoch in range(1, epochs + 1):
            loss = self.train_epoch()
            vl, va = self.validate()
            self.call("after_epoch", epoch, {"loss": loss, "val_loss": vl, "val_acc": va})
