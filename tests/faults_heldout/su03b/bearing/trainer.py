import torch
import torch.nn as nn
from torch.utils.data import DataLoader, random_split


class Trainer:
    def __init__(self, model, dataset, cfg):
        self.model, self.cfg = model, cfg
        n_val = int(len(dataset) * cfg.val_share)
        split = torch.Generator().manual_seed(cfg.seed)
        train, val = random_split(dataset, [len(dataset) - n_val, n_val], generator=split)
        self.train_loader = DataLoader(train, cfg.batch_size, shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val, 128)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), cfg.lr, weight_decay=cfg.weight_decay)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg.epochs)

    def run_epoch(self):
        self.model.train()
        seen = loss_sum = hits = 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            out = self.model(x)
            loss = self.criterion(out, y)
            loss.backward()
            self.optimizer.step()
            seen += len(y)
            loss_sum += loss.item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
        self.scheduler.step()
        return loss_sum / seen, hits / seen

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        seen = loss_sum = hits = 0
        for x, y in self.val_loader:
            out = self.model(x)
            seen += len(y)
            loss_sum += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
        return loss_sum / seen, hits / seen

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            train = self.run_epoch()
            val = self.validate()
            print(
                f"epoch {epoch:3d} | train {train[0]:.3f} / {train[1]:.3f} | val {val[0]:.3f} / {val[1]:.3f}",
                flush=True,
            )
