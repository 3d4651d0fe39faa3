from collections import deque

import torch


class SnapshotBank:
    """Latest weights of a model, kept in memory for averaging.

    every: take a snapshot each `every` steps
    keep:  how many to hold (0 holds all of them)
    """

    def __init__(self, model, every, keep):
        self.model = model
        self.every = every
        self.states = deque(maxlen=keep or None)

    @torch.no_grad()
    def update(self, step):
        if step % self.every == 0:
            self.states.append([p.detach().clone() for p in self.model.parameters()])

    @torch.no_grad()
    def average(self, last):
        chosen = list(self.states)[-last:]
        for i, p in enumerate(self.model.parameters()):
            p.copy_(torch.stack([s[i] for s in chosen]).mean(0))
        return len(chosen)
