import torch
from torch import nn


class Trainer:
    def __init__(self, model, optim_cfg):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(
            model.parameters(),
            lr=optim_cfg["lr"],
            betas=tuple(optim_cfg["betas"]),
        )

    def run_epoch(self, loader):
        self.model.train()
        running, seen = 0.0, 0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            running += loss.item() * len(y)
            seen += len(y)
        return running / seen

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss, hits, seen = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            hits += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return loss / seen, hits / seen
