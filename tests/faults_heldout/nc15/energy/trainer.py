import torch
import torch.nn.functional as F

OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def build_optimizer(model, cfg):
    return OPTIMIZERS[cfg["type"]](model.parameters(), **{k: v for k, v in cfg.items() if k != "type"})


class Trainer:
    def __init__(self, model, optimizer, callbacks, max_epochs):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.max_epochs = max_epochs
        self.epoch, self.should_stop = 0, False

    def _fit_epoch(self, table):
        self.model.train()
        losses = []
        for x, y in table.batches():
            loss = F.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, table):
        self.model.eval()
        x, y = table.val
        pred = self.model(x)
        mse = F.mse_loss(pred, y)
        return {"val_loss": mse.item(), "val_r2": 1 - (mse / y.var(unbiased=False)).item()}

    def fit(self, table):
        while self.epoch < self.max_epochs and not self.should_stop:
            self.epoch += 1
            metrics = {"loss": self._fit_epoch(table), **self.evaluate(table)}
            for cb in self.callbacks:
                cb.on_epoch_end(self, metrics)
        for cb in self.callbacks:
            cb.on_train_end(self)
        return self.evaluate(table)
