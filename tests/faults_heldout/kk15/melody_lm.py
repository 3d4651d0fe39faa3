"""
Note-level language model on a small collection of tunes.

The tunes are stored one per line in a reduced ABC notation. A GRU predicts the next
token; every few steps the loss is estimated on both splits and a short tune is sampled
at the end.

    python melody_lm.py --steps 400
"""
import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

DATA = Path(__file__).resolve().parent / "data" / "tunes.txt"


@dataclass
class Config:
    context: int = 32
    batch: int = 8
    embed: int = 48
    hidden: int = 128
    dropout: float = 0.1
    steps: int = 400
    lr: float = 4e-3
    eval_every: int = 10
    eval_batches: int = 8
    seed: int = 1234


class Tunes:
    def __init__(self, path):
        tokens = []
        for line in path.read_text().splitlines():
            tokens += line.split() + ["\n"]
        self.vocab = sorted(set(tokens))
        self.ids = {t: i for i, t in enumerate(self.vocab)}
        data = torch.tensor([self.ids[t] for t in tokens])
        cut = int(0.85 * len(data))
        self.split = {"train": data[:cut], "val": data[cut:]}

    def batch(self, split, cfg):
        d = self.split[split]
        start = torch.randint(0, len(d) - cfg.context - 1, (cfg.batch,))
        x = torch.stack([d[s:s + cfg.context] for s in start])
        y = torch.stack([d[s + 1:s + 1 + cfg.context] for s in start])
        return x, y

    def render(self, ids):
        return " ".join(self.vocab[i] for i in ids)


class MelodyLM(nn.Module):
    def __init__(self, n_tokens, cfg):
        super().__init__()
        self.embed = nn.Embedding(n_tokens, cfg.embed)
        self.gru = nn.GRU(cfg.embed, cfg.hidden, batch_first=True)
        self.drop = nn.Dropout(cfg.dropout)
        self.head = nn.Linear(cfg.hidden, n_tokens)

    def forward(self, x, h=None):
        z, h = self.gru(self.drop(self.embed(x)), h)
        return self.head(self.drop(z)), h

    @torch.no_grad()
    def sample(self, start, length, temperature=0.8):
        self.eval()
        out, h, x = [start], None, torch.tensor([[start]])
        for _ in range(length):
            logits, h = self(x, h)
            nxt = torch.multinomial(F.softmax(logits[0, -1] / temperature, -1), 1).item()
            out.append(nxt)
            x = torch.tensor([[nxt]])
        return out


def lm_loss(model, x, y):
    logits, _ = model(x)
    return F.cross_entropy(logits.flatten(0, 1), y.flatten())


@torch.no_grad()
def estimate_loss(model, tunes, cfg):
    # same evaluation batches every time, so that the numbers are comparable
    torch.manual_seed(cfg.seed)
    model.eval()
    result = {}
    for split in ("train", "val"):
        result[split] = sum(lm_loss(model, *tunes.batch(split, cfg)).item() for _ in range(cfg.eval_batches)) / cfg.eval_batches
    model.train()
    return result


def lr_at(step, cfg):
    warm = 20
    if step < warm:
        return cfg.lr * (step + 1) / warm
    return cfg.lr * (0.1 + 0.45 * (1 + math.cos(math.pi * (step - warm) / (cfg.steps - warm))))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=Config.steps)
    ap.add_argument("--lr", type=float, default=Config.lr)
    args = ap.parse_args()
    cfg = Config(steps=args.steps, lr=args.lr)

    torch.manual_seed(cfg.seed)
    tunes = Tunes(DATA)
    model = MelodyLM(len(tunes.vocab), cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
    print(f"{len(tunes.split['train'])} training tokens, vocabulary {len(tunes.vocab)}")

    window = []
    for step in range(cfg.steps):
        for group in opt.param_groups:
            group["lr"] = lr_at(step, cfg)
        x, y = tunes.batch("train", cfg)
        loss = lm_loss(model, x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        window.append(loss.item())
        if (step + 1) % cfg.eval_every == 0:
            est = estimate_loss(model, tunes, cfg)
            if (step + 1) % 40 == 0:
                print(f"step {step + 1:4d} | batch {sum(window) / len(window):.3f} | train {est['train']:.3f} | val {est['val']:.3f}")
            window.clear()
    print(tunes.render(model.sample(tunes.ids["|"], 40)))


if __name__ == "__main__":
    main()
