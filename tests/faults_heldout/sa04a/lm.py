"""Character-level GRU language model. Usage: python lm.py experiment.ini"""
import configparser
import math
import sys
from pathlib import Path

import torch
import torch.nn as nn

here = Path(__file__).parent


class Corpus:
    def __init__(self, path, val_part):
        text = path.read_text()
        self.chars = sorted(set(text))
        lookup = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lookup[c] for c in text])
        cut = int(len(ids) * (1 - val_part))
        self.train, self.val = ids[:cut], ids[cut:]

    def sample(self, batch, length):
        start = torch.randint(0, len(self.train) - length - 1, (batch,))
        rows = start[:, None] + torch.arange(length + 1)[None]
        chunk = self.train[rows]
        return chunk[:, :-1], chunk[:, 1:]

    def val_chunks(self, length):
        n = (len(self.val) - 1) // length
        x = self.val[: n * length].view(n, length)
        y = self.val[1: n * length + 1].view(n, length)
        return x, y


class CharGRU(nn.Module):
    def __init__(self, vocab, emb, hidden, dropout):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        z, h = self.gru(self.emb(x), h)
        return self.out(self.drop(z)), h

    @torch.no_grad()
    def generate(self, seed_ids, n, temperature=0.8):
        self.eval()
        x, h, out = seed_ids[None], None, []
        for _ in range(n):
            logits, h = self(x, h)
            x = torch.multinomial(torch.softmax(logits[:, -1] / temperature, -1), 1)
            out.append(x.item())
        return out


def loss_of(model, x, y):
    logits, _ = model(x)
    return nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())


def main():
    ini = configparser.ConfigParser()
    ini.read(here / (sys.argv[1] if len(sys.argv) > 1 else "experiment.ini"))
    m, t = ini["model"], ini["train"]
    torch.manual_seed(t.getint("seed"))

    corpus = Corpus(here / ini["data"]["text"], ini["data"].getfloat("val_part"))
    model = CharGRU(len(corpus.chars), m.getint("embedding"), m.getint("hidden"), m.getfloat("dropout"))
    opt = torch.optim.Adam(model.parameters(), lr=t.getfloat("lr"))
    print(f"vocab {len(corpus.chars)}, {sum(p.numel() for p in model.parameters())} parameters")

    vx, vy = corpus.val_chunks(t.getint("length"))
    best = math.inf
    for it in range(1, t.getint("iterations") + 1):
        model.train()
        loss = loss_of(model, *corpus.sample(t.getint("batch"), t.getint("length")))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), t.getfloat("max_norm"))
        opt.step()

        if it % t.getint("log_every") == 0:
            model.eval()
            with torch.no_grad():
                val = loss_of(model, vx, vy).item()
            best = min(best, val)
            print(f"iter {it:4d}  train {loss.item() / math.log(2):.3f} bpc  val {val / math.log(2):.3f} bpc")

    print("best val bpc", round(best / math.log(2), 3))
    ids = model.generate(corpus.val[:20], 120)
    print(repr("".join(corpus.chars[i] for i in ids)))


if __name__ == "__main__":
    main()
