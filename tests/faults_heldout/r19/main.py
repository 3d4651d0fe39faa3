import argparse
import random

import torch
import torch.nn as nn


def bracket_sample(rng, length):
    """A string over ()[] + noise letters; label: final nesting depth parity of round brackets."""
    seq, depth = [], 0
    for _ in range(length):
        r = rng.random()
        if r < 0.25:
            seq.append(0)
            depth ^= 1
        else:
            seq.append(rng.randint(1, 5))
    return seq, depth


def build(n, length, seed):
    rng = random.Random(seed)
    data = [bracket_sample(rng, length) for _ in range(n)]
    return torch.tensor([d[0] for d in data]), torch.tensor([d[1] for d in data])


class ParityRNN(nn.Module):
    def __init__(self, vocab=6, emb=12, hidden=32):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(vocab, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.cls = nn.Linear(hidden, 2)

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.hidden)

    def forward(self, x, h):
        o, h = self.gru(self.embed(x), h)
        return self.cls(o[:, -1]), h


def run(args):
    torch.manual_seed(args.seed)
    xtr, ytr = build(2000, args.length, 1)
    xva, yva = build(500, args.length, 2)
    net = ParityRNN()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    crit = nn.CrossEntropyLoss()
    hidden = net.init_hidden(args.batch)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(xtr)).split(args.batch):
            hidden = hidden.detach()
            out, hidden = net(xtr[idx], hidden)
            loss = crit(out, ytr[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            out, _ = net(xva, net.init_hidden(len(xva)))
            acc = (out.argmax(1) == yva).float().mean().item()
            vl = crit(out, yva).item()
        print(f"epoch {epoch:2d} loss {total / len(xtr):.4f} val {vl:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--length", type=int, default=10)
    p.add_argument("--batch", type=int, default=50)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--seed", type=int, default=3)
    run(p.parse_args())
