"""Species recognition from single bird calls."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from birdcalls import CallNet, Config, Recordings, split


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        records = Recordings(cfg)
        train, val = split(records, cfg.val_fraction, cfg.seed)
        self.train_loader = DataLoader(train, cfg.batch_size, shuffle=True)
        self.val_loader = DataLoader(val, 128)
        self.model = CallNet(records.spec.shape[1], cfg.hidden, len(cfg.species), cfg.dropout)
        self.criterion = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(self.model.parameters(), cfg.lr, weight_decay=cfg.weight_decay)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.opt, cfg.epochs * len(self.train_loader), eta_min=cfg.lr / 50
        )

    def fit_epoch(self):
        self.model.train()
        losses = []
        for spec, label in self.train_loader:
            loss = self.criterion(self.model(spec), label)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        logits, labels = zip(*[(self.model(s), y) for s, y in self.val_loader])
        logits, labels = torch.cat(logits), torch.cat(labels)
        return self.criterion(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()

    def run(self):
        for epoch in range(1, self.cfg.epochs + 1):
            tl = self.fit_epoch()
            vl, acc = self.validate()
            print(f"[{epoch:02d}] train_loss={tl:.3f} val_loss={vl:.3f} val_acc={acc:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    ap.add_argument("--seed", type=int)
    a = ap.parse_args()
    Trainer(Config.load(a.config, seed=a.seed)).run()
