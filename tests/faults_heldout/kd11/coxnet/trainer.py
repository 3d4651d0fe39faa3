import copy

import torch

from .losses import concordance, cox_loss


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def update(self, value, model):
        if value < self.best:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


class Trainer:
    def __init__(self, model, opt, patience=15, log_every=5):
        self.model, self.opt, self.log_every = model, opt, log_every
        self.stopper = EarlyStop(patience)

    def fit(self, loader, val, max_epochs):
        for epoch in range(max_epochs):
            self.model.train()
            losses = []
            for x, t, e in loader:
                loss = cox_loss(self.model(x), t, e)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.detach())
            v, c = self.evaluate(val)
            if epoch % self.log_every == 0:
                print(f"epoch {epoch:3d}  train {torch.stack(losses).mean():.4f}  val {v:.4f}  c-index {c:.4f}")
            if self.stopper.update(v, self.model):
                print("stopped at epoch", epoch)
                break
        self.model.load_state_dict(self.stopper.state)

    @torch.no_grad()
    def evaluate(self, data):
        self.model.eval()
        x, t, e = data
        r = self.model(x)
        return cox_loss(r, t, e).item(), concordance(r, t, e)
