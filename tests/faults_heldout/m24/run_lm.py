"""Truncated back-propagation through time: contiguous streams, state carried over, tied softmax."""
import math
from pathlib import Path

import torch
from torch import nn


class Lm(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.table = nn.Embedding(vocab, dim)
        nn.init.uniform_(self.table.weight, -0.1, 0.1)
        self.cell = nn.LSTM(dim, dim)
        self.out = nn.Linear(dim, vocab)
        self.out.weight = self.table.weight

    def forward(self, ids, state):
        h, state = self.cell(self.table(ids), state)
        return self.out(h), state


def streams(ids, lanes):
    usable = len(ids) // lanes * lanes
    return ids[:usable].view(lanes, -1).t().contiguous()  # time x lanes


def chunks(block, span):
    for k in range(0, len(block) - 1, span):
        n = min(span, len(block) - 1 - k)
        yield block[k:k + n], block[k + 1:k + 1 + n]


def run(model, block, span, opt=None):
    model.train(opt is not None)
    state, nll, count = None, 0.0, 0
    for x, y in chunks(block, span):
        with torch.set_grad_enabled(opt is not None):
            logits, state = model(x, state)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        state = tuple(s.detach() for s in state)
        if opt is not None:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        nll += loss.item() * y.numel()
        count += y.numel()
    return nll / count / math.log(2)


def main():
    torch.manual_seed(41)
    text = (Path(__file__).parent / "text.txt").read_text()
    vocab = {c: k for k, c in enumerate(sorted(set(text)))}
    ids = torch.tensor([vocab[c] for c in text])
    cut = int(0.9 * len(ids))
    train, valid = streams(ids[:cut], 20), streams(ids[cut:], 4)
    model = Lm(len(vocab), 80)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(4):
        tr = run(model, train, 35, opt)
        va = run(model, valid, 35)
        print(f"epoch {epoch}  train {tr:.3f} bits/char  valid {va:.3f} bits/char")


if __name__ == "__main__":
    main()
