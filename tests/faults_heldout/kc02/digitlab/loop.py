import torch
import torch.nn.functional as F


class Loop:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks
        self.step = 0
        self.epoch = 0
        self.metrics = {}

    def call(self, name):
        for h in self.hooks:
            getattr(h, name)(self)

    def fit(self, train, val, epochs):
        self.call("on_fit_start")
        for self.epoch in range(1, epochs + 1):
            self.model.train()
            tot = n = 0
            for x, y in train:
                self.call("on_batch_start")
                loss = F.cross_entropy(self.model(x), y)
                loss.backward()
                self.call("on_after_backward")
                self.optimizer.step()
                self.step += 1
                tot += loss.item() * len(y)
                n += len(y)
                self.call("on_batch_end")
            self.metrics = {"train_loss": tot / n, **self.validate(val)}
            self.call("on_epoch_end")
        return self.metrics

    @torch.no_grad()
    def validate(self, val):
        self.model.eval()
        tot = ok = n = 0
        for x, y in val:
            z = self.model(x)
            tot += F.cross_entropy(z, y, reduction="sum").item()
            ok += (z.argmax(1) == y).sum().item()
            n += len(y)
        return {"val_loss": tot / n, "val_acc": ok / n}
