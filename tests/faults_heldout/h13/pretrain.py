import math
import random
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F

from mlm.data import Vocab, mask_tokens, pad
from mlm.model import Encoder


@dataclass
class Args:
    micro: int = 32
    accumulate: int = 2
    updates: int = 300
    warmup: int = 30
    lr: float = 3e-3
    seed: int = 0


def lr_lambda(a):
    def f(step):
        if step < a.warmup:
            return (step + 1) / a.warmup
        return 0.5 * (1 + math.cos(math.pi * (step - a.warmup) / (a.updates - a.warmup)))
    return f


def batches(data, size):
    while True:
        random.shuffle(data)
        for i in range(0, len(data) - size + 1, size):
            yield pad(data[i:i + size])


@torch.no_grad()
def evaluate(model, data, vocab_size):
    model.eval()
    g = torch.Generator().manual_seed(99)
    loss = hits = count = 0
    for i in range(0, len(data), 100):
        x, y = mask_tokens(pad(data[i:i + 100]), vocab_size, g)
        logits = model(x)
        loss += F.cross_entropy(logits.transpose(1, 2), y, ignore_index=-100, reduction="sum").item()
        keep = y != -100
        hits += (logits.argmax(-1)[keep] == y[keep]).sum().item()
        count += keep.sum().item()
    model.train()
    return loss / count, hits / count


def main():
    a = Args()
    random.seed(a.seed), torch.manual_seed(a.seed)
    lines = [s.split() for s in (Path(__file__).resolve().parent / "sentences.txt").read_text().splitlines()]
    train_lines, val_lines = lines[:4400], lines[4400:]
    vocab = Vocab(train_lines)
    train = [vocab.encode(s) for s in train_lines]
    val = [vocab.encode(s) for s in val_lines]
    model = Encoder(len(vocab))
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0.0}],
                            lr=a.lr, betas=(0.9, 0.98))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda(a))
    stream = batches(train, a.micro)
    model.train()
    for step in range(1, a.updates + 1):
        pairs = [mask_tokens(next(stream), len(vocab)) for _ in range(a.accumulate)]
        tokens = sum(int((y != -100).sum()) for _, y in pairs)
        total = 0.0
        for x, y in pairs:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(x)
            loss = F.cross_entropy(logits.float().transpose(1, 2), y, ignore_index=-100, reduction="sum") / tokens
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        sched.step()
        if step % 50 == 0:
            vl, va = evaluate(model, val, len(vocab))
            print(f"update {step:4d}  lr {sched.get_last_lr()[0]:.5f}  loss {total:.3f}  val {vl:.3f}  masked acc {va:.3f}")


if __name__ == "__main__":
    main()
