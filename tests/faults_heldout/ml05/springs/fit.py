import torch
from torch.nn.functional import mse_loss

from .optim import build_optimizer


class Fitter:
    def __init__(self, model, train, held, options):
        self.model, self.options = model, options
        self.states, self.rates = train
        self.held_states, self.held_rates = held
        self.history = []

    def batches(self):
        while True:
            for idx in torch.randperm(len(self.states)).split(self.options.batch):
                if len(idx) == self.options.batch:
                    yield self.states[idx], self.rates[idx]

    def held_out_error(self):
        self.model.eval()
        return mse_loss(self.model(self.held_states), self.held_rates).item()

    def run(self):
        window = []
        stream = self.batches()
        for step in range(self.options.steps):
            states, rates = next(stream)
            self.model.train()
            self.optimizer = build_optimizer(self.model, step, self.options)
            loss = mse_loss(self.model(states), rates)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            window.append(loss.item())
            if (step + 1) % self.options.report_every == 0:
                error = self.held_out_error()
                self.history.append((step + 1, sum(window) / len(window), error))
                print("step {:5d}  train {:.5f}  held-out {:.5f}  lr {:.2e}".format(
                    *self.history[-1], self.optimizer.param_groups[0]["lr"]))
                window = []
