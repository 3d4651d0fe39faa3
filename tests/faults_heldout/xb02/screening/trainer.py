import copy
import logging

import torch
from sklearn.metrics import roc_auc_score
from torch import nn

log = logging.getLogger("screening")


class Trainer:
    def __init__(self, model, splits, lr=3e-3, batch_size=32, max_epochs=80, patience=15):
        self.model = model
        self.splits = splits
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.patience = patience
        self.criterion = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-4)

    def _epoch(self):
        self.model.train()
        x, y = self.splits["train"]
        order = torch.randperm(len(x))
        n_full = len(x) // self.batch_size
        running = 0.0
        for i in range(n_full):
            idx = order[i * self.batch_size:(i + 1) * self.batch_size]
            logits = self.model(x[idx]).squeeze(1)
            loss = self.criterion(logits, y[idx])
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            running += loss.item()
        return running / n_full

    @torch.no_grad()
    def score(self, split):
        self.model.eval()
        x, y = self.splits[split]
        logits = self.model(x).squeeze(1)
        return {
            "loss": self.criterion(logits, y).item(),
            "acc": ((logits > 0).float() == y).float().mean().item(),
            "auc": roc_auc_score(y.numpy(), logits.numpy()),
        }

    def fit(self):
        best, best_state, stale = float("inf"), None, 0
        for epoch in range(self.max_epochs):
            train_loss = self._epoch()
            val = self.score("val")
            log.info("epoch %02d train=%.4f val=%.4f acc=%.3f auc=%.4f", epoch, train_loss, val["loss"], val["acc"], val["auc"])
            if val["loss"] < best - 1e-4:
                best, stale = val["loss"], 0
                best_state = copy.deepcopy(self.model.state_dict())
            else:
                stale += 1
                if stale >= self.patience:
                    log.info("no improvement for %d epochs, stopping", stale)
                    break
        self.model.load_state_dict(best_state)
        return best
