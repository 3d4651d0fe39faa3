#!/usr/bin/env python3
"""Next-character model for street names (small dilated CNN), with a run journal."""
import argparse
import json
import math
import os
import time
from pathlib import Path

import torch
from torch import nn
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent


# --------------------------------------------------------------------------- data
class NameCorpus:
    def __init__(self, path, block, val_share=0.1):
        text = path.read_text(encoding="utf-8").lower()
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([self.stoi[c] for c in text], dtype=torch.long)
        cut = int(len(ids) * (1 - val_share))
        self.splits = {"train": ids[:cut], "val": ids[cut:]}
        self.block = block

    def sample(self, split, n, gen):
        ids = self.splits[split]
        starts = torch.randint(len(ids) - self.block - 1, (n,), generator=gen)
        offs = torch.arange(self.block)
        x = ids[starts[:, None] + offs]
        y = ids[starts[:, None] + offs + 1]
        return x, y


# -------------------------------------------------------------------------- model
class CausalConv(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(width, width, 3, dilation=dilation)
        self.norm = nn.GroupNorm(1, width)

    def forward(self, x):
        return x + F.gelu(self.conv(F.pad(self.norm(x), (self.pad, 0))))


class CharCNN(nn.Module):
    def __init__(self, vocab, width=64, dilations=(1, 2, 4, 8)):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.stack = nn.Sequential(*[CausalConv(width, d) for d in dilations])
        self.head = nn.Conv1d(width, vocab, 1)

    def forward(self, idx):
        return self.head(self.stack(self.embed(idx).transpose(1, 2)))


# ------------------------------------------------------------------------ journal
class RunJournal:
    """Keeps loss and per-layer weight statistics of a run in one json file."""

    def __init__(self, path, bins=24):
        self.path = path
        self.bins = bins
        self.records = []

    def _histogram(self, tensor):
        values = sorted(tensor.detach().cpu().flatten().tolist())
        lo, hi = values[0], values[-1]
        width = (hi - lo) / self.bins or 1.0
        counts = [0] * self.bins
        for v in values:
            counts[min(int((v - lo) / width), self.bins - 1)] += 1
        return {"lo": lo, "hi": hi, "counts": counts}

    def write(self, step, loss, model):
        record = {"step": step, "loss": loss.item(), "layers": {}}
        for name, p in model.named_parameters():
            record["layers"][name] = {
                "weight": self._histogram(p),
                "grad": self._histogram(p.grad),
            }
        self.records.append(record)
        tmp = self.path.with_suffix(".tmp")
        with open(tmp, "w") as fh:
            json.dump(self.records[-50:], fh)
            fh.flush()
            os.fsync(fh.fileno())
        tmp.replace(self.path)


def evaluate(model, corpus, batch, gen, rounds=4):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for _ in range(rounds):
            x, y = corpus.sample("val", batch, gen)
            total += F.cross_entropy(model(x), y).item()
    model.train()
    return total / rounds


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=240)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--block", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--eval-every", type=int, default=40)
    p.add_argument("--seed", type=int, default=19)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    corpus = NameCorpus(HERE / "streets.txt", args.block)
    model = CharCNN(len(corpus.chars))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    journal = RunJournal(HERE / "journal.json")
    print(f"vocab {len(corpus.chars)}, parameters {sum(q.numel() for q in model.parameters())}")

    t0 = time.time()
    for step in range(1, args.steps + 1):
        x, y = corpus.sample("train", args.batch, gen)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        journal.write(step, loss, model)

        if step % args.eval_every == 0:
            val = evaluate(model, corpus, 64, gen)
            rate = step * args.batch * args.block / (time.time() - t0)
            print(f"step {step:4d}  loss {loss.item():.3f}  val {val:.3f} ({val / math.log(2):.2f} bits)  {rate:,.0f} chars/s")


if __name__ == "__main__":
    main()
