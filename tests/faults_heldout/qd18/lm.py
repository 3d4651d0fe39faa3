import argparse
import math

import torch
from torch import nn


def streams(text, lanes, vocab):
    """Cuts the text into parallel lanes that are read from left to right."""
    ids = torch.tensor([vocab[c] for c in text])
    n = len(ids) // lanes
    return ids[: n * lanes].view(lanes, n)


class CharLM(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(dim, n)
        nn.init.normal_(self.emb.weight, std=dim ** -0.5)
        nn.init.zeros_(self.out.bias)
        self.out.weight = self.emb.weight

    def forward(self, x, h=None):
        # the shared table is small for the output, the input is scaled back up
        y, h = self.rnn(self.emb(x) * math.sqrt(self.emb.embedding_dim), h)
        return self.out(self.drop(y)), h


def chunks(lanes, length):
    for a in range(0, lanes.shape[1] - 1, length):
        b = min(a + length, lanes.shape[1] - 1)
        yield lanes[:, a:b], lanes[:, a + 1:b + 1]


@torch.no_grad()
def bits_per_char(model, lanes, length):
    model.eval()
    h, total, n = None, 0.0, 0
    for x, y in chunks(lanes, length):
        logits, h = model(x, h)
        total += nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        n += y.numel()
    return total / n / math.log(2)


def write(model, vocab, start, n):
    model.eval()
    names = {i: c for c, i in vocab.items()}
    out, h = start, None
    x = torch.tensor([[vocab[c] for c in start]])
    with torch.no_grad():
        for _ in range(n):
            logits, h = model(x, h)
            x = torch.multinomial(logits[:, -1].softmax(-1), 1)
            out += names[x.item()]
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lanes", type=int, default=32)
    p.add_argument("--bptt", type=int, default=50)
    p.add_argument("--dim", type=int, default=96)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--epochs", type=int, default=6)
    a = p.parse_args()
    torch.manual_seed(22)
    text = open("tales.txt").read()
    vocab = {c: i for i, c in enumerate(sorted(set(text)))}
    cut = int(0.9 * len(text))
    train, val = streams(text[:cut], a.lanes, vocab), streams(text[cut:], a.lanes, vocab)

    model = CharLM(len(vocab), a.dim)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    steps = a.epochs * math.ceil((train.shape[1] - 1) / a.bptt)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=a.lr / 50)
    for epoch in range(a.epochs):
        model.train()
        hidden, total, n = None, 0.0, 0
        for x, y in chunks(train, a.bptt):
            if hidden is not None:
                hidden = hidden.detach()
            logits, hidden = model(x, hidden)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * y.numel()
            n += y.numel()
        print(f"epoch {epoch + 1}  train {total / n / math.log(2):.3f} bpc  val {bits_per_char(model, val, a.bptt):.3f} bpc")
    print(write(model, vocab, "the fox ", 160))


if __name__ == "__main__":
    main()
