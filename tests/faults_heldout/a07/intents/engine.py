import logging
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from .metrics import ConfusionMeter

log = logging.getLogger("intents")


class Engine:
    def __init__(self, model, cfg, root, steps_per_epoch, n_tags):
        self.model, self.cfg, self.n_tags = model, cfg, n_tags
        self.opt = torch.optim.AdamW(
            model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay
        )
        total = steps_per_epoch * cfg.epochs
        warm = max(1, int(total * cfg.warmup_frac))

        def factor(step):
            if step < warm:
                return (step + 1) / warm
            return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, factor)
        self.run_dir = Path(root) / cfg.run_dir
        self.run_dir.mkdir(parents=True, exist_ok=True)

    def train_epoch(self, loader):
        self.model.train()
        total, seen = 0.0, 0
        meter = ConfusionMeter(self.n_tags)
        for tokens, lengths, tags in loader:
            logits = self.model(tokens, lengths)
            loss = F.cross_entropy(logits, tags)
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(tags)
            seen += len(tags)
            meter.update(logits.detach().argmax(1), tags)
        return total / seen, meter.accuracy()

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        meter = ConfusionMeter(self.n_tags)
        total, seen = 0.0, 0
        for tokens, lengths, tags in loader:
            logits = self.model(tokens, lengths)
            total += F.cross_entropy(logits, tags, reduction="sum").item()
            seen += len(tags)
            meter.update(logits.argmax(1), tags)
        return total / seen, meter.accuracy(), meter.macro_f1()

    def fit(self, train_loader, dev_loader):
        best, stale = -1.0, 0
        for epoch in range(1, self.cfg.epochs + 1):
            tr_loss, tr_acc = self.train_epoch(train_loader)
            dv_loss, dv_acc, dv_f1 = self.evaluate(dev_loader)
            log.info(
                "epoch %02d train loss %.4f acc %.4f | dev loss %.4f acc %.4f f1 %.4f",
                epoch, tr_loss, tr_acc, dv_loss, dv_acc, dv_f1,
            )
            if dv_f1 > best:
                best, stale = dv_f1, 0
                torch.save({"model": self.model.state_dict(), "epoch": epoch}, self.run_dir / "best.pt")
            else:
                stale += 1
                if stale >= self.cfg.patience:
                    log.info("no gain on dev for %d epochs, stopping", stale)
                    break
        state = torch.load(self.run_dir / "best.pt")
        self.model.load_state_dict(state["model"])
        _, acc, f1 = self.evaluate(dev_loader)
        log.info("best epoch %d: dev acc %.4f macro-f1 %.4f", state["epoch"], acc, f1)
