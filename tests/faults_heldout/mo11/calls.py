"""Next-syllable model for transcribed bird calls (one letter per syllable)."""
from collections import Counter
from math import log
from pathlib import Path

import torch
from torch import nn

CONTEXT, BATCH, STEPS = 16, 48, 600


class Song(nn.Module):
    def __init__(self, vocab, dim=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


def windows(ids, starts):
    return torch.stack([ids[s:s + CONTEXT + 1] for s in starts.tolist()])


def table_score(train, test, k):
    """Smoothed count table with k symbols of context, mean -log p on the test part."""
    joint, ctx, v = Counter(), Counter(), len(set(train))
    for i in range(k, len(train)):
        joint[train[i - k:i + 1]] += 1
        ctx[train[i - k:i]] += 1
    lp = [log((joint[test[i - k:i + 1]] + .5) / (ctx[test[i - k:i]] + .5 * v)) for i in range(k, len(test))]
    return -sum(lp) / len(lp)


def main():
    torch.manual_seed(8)
    text = Path(__file__).with_name("calls.txt").read_text()
    cut = int(0.9 * len(text))
    for k in (0, 1, 2, 3):
        print(f"count table, {k} symbols of context: {table_score(text[:cut], text[cut:], k):.4f}")
    letters = sorted(set(text))
    ids = torch.tensor([letters.index(c) for c in text])
    train, test = ids[:cut], ids[cut:]
    val = windows(test, torch.arange(0, len(test) - CONTEXT - 1, CONTEXT))
    model = Song(len(letters))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1.2e-2, total_steps=STEPS, pct_start=0.25)
    ce = nn.CrossEntropyLoss()
    for step in range(1, STEPS + 1):
        w = windows(train, torch.randint(len(train) - CONTEXT - 1, (BATCH,)))
        loss = ce(model(w[:, :-1]).flatten(0, 1), w[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 25 == 0:
            model.eval()
            with torch.no_grad():
                out = model(val[:, :-1])
                vl = ce(out.flatten(0, 1), val[:, 1:].flatten()).item()
                acc = (out.argmax(-1) == val[:, 1:]).float().mean().item()
            model.train()
            print(f"step {step:4d}  loss {loss.item():.3f}  test {vl:.4f}  accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
