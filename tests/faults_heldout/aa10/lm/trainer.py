import time

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, text, cfg):
        self.model, self.text, self.cfg = model, text, cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])

    def loss(self, x, y):
        logits = self.model(x)
        return F.cross_entropy(logits.flatten(0, 1), y.flatten())

    def training_step(self):
        """Forward and backward for one chunk of sequences."""
        x, y = self.text.random_chunks(self.cfg["chunk"], self.cfg["seq_len"])
        self.opt.zero_grad(set_to_none=True)
        loss = self.loss(x, y)
        (loss / self.cfg["chunks_per_update"]).backward()
        return loss.item()

    def update(self):
        losses = [self.training_step() for _ in range(self.cfg["chunks_per_update"])]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["max_norm"])
        self.opt.step()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        x, y = self.text.val_chunks(self.cfg["seq_len"], 128)
        out = self.loss(x, y).item()
        self.model.train()
        return out

    def fit(self):
        t0, window = time.time(), []
        for step in range(1, self.cfg["updates"] + 1):
            window.append(self.update())
            if step % self.cfg["log_every"] == 0:
                print(f"update {step:4d} train {sum(window) / len(window):.3f} val {self.validate():.3f} ({time.time() - t0:.0f}s)")
                window.clear()
