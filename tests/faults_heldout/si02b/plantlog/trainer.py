import torch
from torch import nn


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])
        self.ce = nn.CrossEntropyLoss()

    def sweep(self, lines, train):
        self.model.train(train)
        state, total, right, n = None, 0.0, 0, 0
        for events, alarms in lines.chunks(self.cfg["tbptt"]["chunk"]):
            if not self.cfg["tbptt"]["carry"]:
                state = None
            with torch.set_grad_enabled(train):
                logits, state = self.model(events, state)
                loss = self.ce(logits.flatten(0, 1), alarms.flatten())
            state = state.detach()
            if train:
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["optim"]["clip"])
                self.opt.step()
            total += loss.item() * alarms.numel()
            right += (logits.argmax(-1) == alarms).sum().item()
            n += alarms.numel()
        return total / n, right / n
