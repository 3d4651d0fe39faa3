import logging
import math

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR

import vocab

log = logging.getLogger("trainer")


def ramp_cosine(warmup, total, floor=0.05):
    def scale(step):
        if step < warmup:
            return (step + 1) / warmup
        t = (step - warmup) / max(1, total - warmup)
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, t)))
    return scale


class Trainer:
    def __init__(self, cfg, model, train, valid):
        self.cfg, self.model, self.train, self.valid = cfg, model, train, valid
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98),
                                     weight_decay=cfg.weight_decay)
        total = cfg.epochs * len(train)
        self.sched = LambdaLR(self.opt, ramp_cosine(cfg.warmup_steps, total))

    def loss(self, src, tgt):
        logits = self.model(src, tgt[:, :-1])
        return F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:], ignore_index=vocab.PAD)

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            self.model.train()
            running = 0.0
            for src, tgt in self.train:
                loss = self.loss(src, tgt)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
                self.opt.step()
                self.sched.step()
                running += loss.item()
            log.info("epoch %2d  train %.4f  valid %.4f", epoch,
                     running / len(self.train), self.evaluate())
        log.info("exact match %.3f", self.exact_match())

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        total, n = 0.0, 0
        for src, tgt in self.valid:
            total += self.loss(src, tgt).item() * len(src)
            n += len(src)
        return total / n

    @torch.no_grad()
    def exact_match(self):
        self.model.eval()
        hits = n = 0
        for src, tgt in self.valid:
            pred = self.model.greedy(src)
            hits += sum(vocab.decode(p) == vocab.decode(t[1:])
                        for p, t in zip(pred.tolist(), tgt.tolist()))
            n += len(src)
        return hits / n
