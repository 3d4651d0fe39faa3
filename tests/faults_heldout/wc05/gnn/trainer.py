import copy

import torch
from torch.nn import functional as F


class TransductiveTrainer:
    """Full-batch training; keeps the weights of the best validation score."""

    def __init__(self, model, optimizer, graph, steps, report_every):
        self.model = copy.deepcopy(model)  # the caller may reuse its instance for another run
        self.optimizer = optimizer
        self.a_hat, self.x, self.y, self.train_idx, self.val_idx = graph
        self.steps = steps
        self.report_every = report_every
        self.best = (0.0, None)

    def step(self):
        self.model.train()
        self.model.zero_grad()
        out = self.model(self.a_hat, self.x)
        loss = F.cross_entropy(out[self.train_idx], self.y[self.train_idx])
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        out = self.model(self.a_hat, self.x)[self.val_idx]
        target = self.y[self.val_idx]
        acc = (out.argmax(1) == target).float().mean().item()
        if acc > self.best[0]:
            self.best = (acc, copy.deepcopy(self.model.state_dict()))
        return F.cross_entropy(out, target).item(), acc

    def run(self):
        for step in range(1, self.steps + 1):
            loss = self.step()
            if step % self.report_every == 0:
                val_loss, acc = self.validate()
                print(f"step {step:4d}  loss {loss:.4f}  val_loss {val_loss:.4f}  val_acc {acc:.4f}", flush=True)
        return self.best[0]
