import torch

from .losses import cox_nll
from .metrics import concordance


class Engine:
    def __init__(self, net, optimizer, callbacks):
        self.net, self.optimizer, self.callbacks = net, optimizer, callbacks
        self.stop = False

    def fit(self, train, valid, epochs, batch):
        x, days, event = train
        for epoch in range(1, epochs + 1):
            self.net.train()
            total, count = 0.0, 0
            for idx in torch.randperm(len(x)).split(batch):
                loss = cox_nll(self.net(x[idx]).squeeze(1), days[idx], event[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total, count = total + loss.item(), count + 1
            nll, c = self.evaluate(valid)
            logs = {"epoch": epoch, "train_nll": total / count, "valid_nll": nll, "valid_cindex": c}
            for cb in self.callbacks:
                cb.on_epoch_end(self, logs)
            if self.stop:
                break
        for cb in self.callbacks:
            cb.on_fit_end(self)

    @torch.no_grad()
    def evaluate(self, part):
        self.net.eval()
        x, days, event = part
        risk = self.net(x).squeeze(1)
        return cox_nll(risk, days, event).item(), concordance(risk, days, event)
