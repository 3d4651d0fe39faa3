import math

import torch
import torch.nn.functional as F

from .schedule import WarmupCosine


class Engine:
    def __init__(self, model, corpus, settings):
        self.model, self.corpus = model, corpus
        self.t, self.block = settings["train"], settings["data"]["block"]
        o = settings["optim"]
        self.clip = o["clip"]
        groups = [
            {"params": [p for p in model.parameters() if p.ndim >= 2], "weight_decay": o["weight_decay"]},
            {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0},
        ]
        self.opt = torch.optim.AdamW(groups, lr=o["lr"], betas=tuple(o["betas"]))
        self.sched = WarmupCosine(self.opt, o["lr"], o["warmup"], self.t["steps"], o["min_ratio"])
        self.gen = torch.Generator().manual_seed(settings["seed"])

    def loss(self, x, y, smoothing=0.0):
        return F.cross_entropy(self.model(x).flatten(0, 1), y.flatten(), label_smoothing=smoothing)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        tot = n = 0
        for x, y in self.corpus.val_batches(64, self.block):
            tot += self.loss(x, y).item() * y.numel()
            n += y.numel()
        self.model.train()
        return tot / n

    def run(self):
        self.model.train()
        ema = None
        for step in range(1, self.t["steps"] + 1):
            x, y = self.corpus.random_batch(self.t["batch"], self.block, self.gen)
            loss = self.loss(x, y, self.t["label_smoothing"])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            gn = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.opt.step()
            self.sched.step()
            ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
            if step % self.t["log_every"] == 0:
                v = self.evaluate()
                print(f"step {step:4d} train {ema:.3f} val {v:.3f} bpc {v / math.log(2):.3f} |g| {gn:.2f}", flush=True)

    @torch.no_grad()
    def sample(self, prompt, n, temperature=0.8):
        self.model.eval()
        ids = self.corpus.encode(prompt)[None]
        for _ in range(n):
            logits = self.model(ids[:, -self.block:])[0, -1] / temperature
            ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1, generator=self.gen)[None]], 1)
        return self.corpus.decode(ids[0].tolist())
