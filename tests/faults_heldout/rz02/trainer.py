import math

import torch
import torch.nn.functional as F


def warmup_cosine(warmup, total, floor):
    def factor(t):
        if t < warmup:
            return (t + 1) / warmup
        u = min(1.0, (t - warmup) / max(1, total - warmup))
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * u))
    return factor


class Trainer:
    def __init__(self, model, train_dl, val_dl, optim_cfg, epochs):
        self.model, self.train_dl, self.val_dl, self.epochs = model, train_dl, val_dl, epochs
        decay = [p for p in model.parameters() if p.ndim >= 2]
        plain = [p for p in model.parameters() if p.ndim < 2]
        self.opt = torch.optim.AdamW(
            [{"params": decay, "weight_decay": optim_cfg["weight_decay"]},
             {"params": plain, "weight_decay": 0.0}],
            lr=optim_cfg["lr"])
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            self.opt,
            warmup_cosine(optim_cfg["warmup"], epochs * len(train_dl), optim_cfg["floor"]))

    def _train_epoch(self):
        self.model.train()
        seen = acc = 0.0
        for img, digit in self.train_dl:
            self.opt.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.model(img), digit)
            loss.backward()
            self.opt.step()
            acc += loss.item() * len(digit)
            seen += len(digit)
        return acc / seen

    @torch.inference_mode()
    def validate(self):
        self.model.eval()
        logits, ys = zip(*[(self.model(img), d) for img, d in self.val_dl])
        z, y = torch.cat(logits), torch.cat(ys)
        return F.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()

    def fit(self):
        for ep in range(self.epochs):
            tr = self._train_epoch()
            self.sched.step()
            if ep % 4 == 3:
                vl, va = self.validate()
                print(f"[{ep + 1:02d}/{self.epochs}] train={tr:.3f} val={vl:.3f} acc={va:.3f}")
        return self.validate()
