import torch


class Loop:
    def __init__(self, model, optimizer, loss_fn, train_loader, test_loader, callbacks=()):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.train_loader, self.test_loader = train_loader, test_loader
        self.callbacks = list(callbacks)
        self.epoch = 0
        self.last_loss = None

    def _call(self, hook):
        for cb in self.callbacks:
            getattr(cb, hook)(self)

    def run(self, epochs):
        for self.epoch in range(1, epochs + 1):
            self._call("on_epoch_begin")
            self.model.train()
            for seq, key in self.train_loader:
                self._call("on_batch_begin")
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(seq), key)
                loss.backward()
                self.optimizer.step()
                self.last_loss = loss.item()
                self._call("on_batch_end")
            self._call("on_epoch_end")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        good = total = 0
        for seq, key in self.test_loader:
            good += (self.model(seq).argmax(-1) == key).sum().item()
            total += len(key)
        return good / total
