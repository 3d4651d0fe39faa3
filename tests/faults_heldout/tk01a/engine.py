"""A small event-driven training engine."""
from collections import defaultdict

import torch

EVENTS = ("run_start", "epoch_start", "batch_start", "backward_end", "batch_end", "epoch_end")


class Engine:
    def __init__(self, model, optimizer, criterion):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.handlers = defaultdict(list)
        self.epoch = 0
        self.losses = []

    def on(self, event, handler):
        if event not in EVENTS:
            raise ValueError(f"unknown event {event!r}, choose from {EVENTS}")
        self.handlers[event].append(handler)

    def fire(self, event):
        for handler in self.handlers[event]:
            handler(self)

    def run(self, loader, epochs):
        self.fire("run_start")
        for self.epoch in range(1, epochs + 1):
            self.model.train()
            self.losses = []
            self.fire("epoch_start")
            for x, y in loader:
                self.fire("batch_start")
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.fire("backward_end")
                self.losses.append(loss.item())
                self.fire("batch_end")
            self.fire("epoch_end")

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        hits, total, loss_sum = 0, 0, 0.0
        for x, y in loader:
            out = self.model(x)
            loss_sum += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            total += len(y)
        return loss_sum / total, hits / total
