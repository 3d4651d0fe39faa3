import argparse
import math

import torch
import torch.nn as nn


class Corpus:
    def __init__(self, path, val_part=0.1):
        text = open(path, encoding="utf-8").read()
        self.chars = sorted(set(text))
        lut = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lut[c] for c in text])
        cut = int(len(ids) * (1 - val_part))
        self.train, self.val = ids[:cut], ids[cut:]

    @staticmethod
    def streams(ids, n):
        """n parallel streams of contiguous text, shape (time, n)."""
        length = len(ids) // n
        return ids[: length * n].view(n, length).t().contiguous()


class CharLM(nn.Module):
    def __init__(self, vocab, dim=64, hidden=128, drop=0.1):
        super().__init__()
        self.enc = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden)
        self.proj = nn.Linear(hidden, dim)
        self.dec = nn.Linear(dim, vocab)
        self.dec.weight = self.enc.weight  # tied
        nn.init.normal_(self.enc.weight, std=dim ** -0.5)
        nn.init.zeros_(self.dec.bias)
        self.drop = nn.Dropout(drop)
        self.scale = dim ** 0.5

    def forward(self, x, h=None):
        e = self.drop(self.enc(x) * self.scale)
        y, h = self.rnn(e, h)
        return self.dec(self.proj(self.drop(y))), h


def validate(model, data, bptt, ce):
    model.eval()
    h, total, n = None, 0.0, 0
    with torch.no_grad():
        for i in range(0, len(data) - 1, bptt):
            k = min(bptt, len(data) - 1 - i)
            out, h = model(data[i:i + k], h)
            total += ce(out.flatten(0, 1), data[i + 1:i + 1 + k].flatten()).item() * k
            n += k
    model.train()
    return total / n


@torch.no_grad()
def sample(model, corpus, n=160, temp=0.8):
    model.eval()
    x, h, out = torch.tensor([[corpus.chars.index("C")]]), None, "C"
    for _ in range(n):
        logits, h = model(x, h)
        x = torch.multinomial(torch.softmax(logits[-1] / temp, -1), 1)
        out += corpus.chars[x.item()]
    model.train()
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--text", default="recipes.txt")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--streams", type=int, default=32)
    p.add_argument("--bptt", type=int, default=50)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--clip", type=float, default=1.0)
    a = p.parse_args()
    torch.manual_seed(77)

    corpus = Corpus(a.text)
    train, val = Corpus.streams(corpus.train, a.streams), Corpus.streams(corpus.val, 8)
    model = CharLM(len(corpus.chars))
    ce = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-4)
    per_epoch = math.ceil((len(train) - 1) / a.bptt)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=a.lr, total_steps=a.epochs * per_epoch, pct_start=0.15)
    print(f"{len(corpus.chars)} characters, uniform loss {math.log(len(corpus.chars)):.3f}")

    for epoch in range(1, a.epochs + 1):
        h, total = None, 0.0
        # text order is kept: the state runs on from one window to the next
        for i in range(0, len(train) - 1, a.bptt):
            k = min(a.bptt, len(train) - 1 - i)
            if h is not None:
                h = h.detach()
            out, h = model(train[i:i + k], h)
            loss = ce(out.flatten(0, 1), train[i + 1:i + 1 + k].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), a.clip)
            opt.step()
            sched.step()
            total += loss.item()
        v = validate(model, val, a.bptt, ce)
        print(f"epoch {epoch} train {total / per_epoch:.3f} val {v:.3f} ppl {math.exp(v):.2f}")
    print(sample(model, corpus))


if __name__ == "__main__":
    main()
