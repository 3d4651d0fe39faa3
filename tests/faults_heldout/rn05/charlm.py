"""Windowed character language model kept entirely in bfloat16 to halve the memory."""
import math
from pathlib import Path

import torch
from torch import nn

CONTEXT = 12
DTYPE = torch.bfloat16


class CharMLP(nn.Module):
    def __init__(self, vocab, emb=16, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.body = nn.Sequential(
            nn.Linear(CONTEXT * emb, hidden), nn.LayerNorm(hidden), nn.GELU(),
            nn.Linear(hidden, hidden), nn.LayerNorm(hidden), nn.GELU(),
        )
        self.head = nn.Linear(hidden, vocab)

    def forward(self, x):
        return self.head(self.body(self.emb(x).flatten(1)))


def examples(ids):
    w = ids.unfold(0, CONTEXT + 1, 1)
    return w[:, :-1], w[:, -1]


def nll(model, x, y):
    model.eval()
    with torch.no_grad():
        v = nn.functional.cross_entropy(model(x).float(), y).item()
    model.train()
    return v


def main():
    torch.manual_seed(40)
    text = Path("corpus.txt").read_text()
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    cut = int(0.9 * len(ids))
    x, y = examples(ids[:cut])
    vx, vy = examples(ids[cut:])

    model = CharMLP(len(chars)).to(DTYPE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)

    step = 0
    for epoch in range(5):
        for idx in torch.randperm(len(x)).split(64):
            logits = model(x[idx])
            loss = nn.functional.cross_entropy(logits.float(), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step % 200 == 0:
                print(f"step {step} loss {loss.item():.3f}")
        v = nll(model, vx, vy)
        print(f"epoch {epoch} val nll {v:.4f} ppl {math.exp(v):.2f}")


if __name__ == "__main__":
    main()
