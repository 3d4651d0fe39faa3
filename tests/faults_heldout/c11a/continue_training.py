#!/usr/bin/env python3
"""Go on from the last checkpoint of the character model."""
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

from charlm import CharLM, Corpus

DIR = pathlib.Path(__file__).resolve().parent
STEPS, BATCH, LENGTH = 420, 32, 48


class Run:
    def __init__(self, lr=2e-3):
        self.train_set = Corpus((DIR / "train.txt").read_text())
        self.valid_set = Corpus((DIR / "valid.txt").read_text(), self.train_set.chars)
        self.model = CharLM(len(self.train_set.chars))
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.01)
        self.step = 0
        self.rng = torch.Generator().manual_seed(77)

    def resume(self, path):
        state = torch.load(path)
        self.model.load_state_dict(state["model"])
        self.optim.load_state_dict(state["optim"])
        self.step = state["step"]

    def loss(self, x, y):
        return F.cross_entropy(self.model(x).flatten(0, 1), y.flatten())

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        g = torch.Generator().manual_seed(0)
        out = sum(self.loss(*self.valid_set.sample(64, LENGTH, g)).item() for _ in range(4)) / 4
        self.model.train()
        return out

    def go(self, steps):
        print(f"resumed at step {self.step}, valid {self.validate():.3f}", file=sys.stderr)
        window = []
        self.model.train()
        for _ in range(steps):
            loss = self.loss(*self.train_set.sample(BATCH, LENGTH, self.rng))
            self.optim.zero_grad(set_to_none=True)
            loss.backward()
            self.optim.step()
            self.step += 1
            window.append(loss.item())
            if self.step % 60 == 0:
                v = self.validate()
                print(f"step {self.step:5d}  train {sum(window) / len(window):.3f}  valid {v:.3f}"
                      f"  perplexity {math.exp(v):.2f}", file=sys.stderr)
                window.clear()


if __name__ == "__main__":
    run = Run()
    run.resume(DIR / "ckpt" / "last.pt")
    run.go(STEPS)
