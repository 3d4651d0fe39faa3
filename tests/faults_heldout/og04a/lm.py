#!/usr/bin/env python
"""Character model over radio check-in transcripts."""
import sys
import tomllib

import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, n_sym, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(n_sym, emb)
        self.rnn = nn.GRU(emb, hid, batch_first=True)
        self.proj = nn.Linear(hid, n_sym)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.proj(h)


def windows(ids, length):
    n = (len(ids) - 1) // length
    x = ids[: n * length].view(n, length)
    y = ids[1 : n * length + 1].view(n, length)
    return x, y


def main(cfg_path):
    with open(cfg_path, "rb") as fh:
        cfg = tomllib.load(fh)
    o = cfg["optim"]
    torch.manual_seed(o["seed"])
    text = open(cfg["data"]["corpus"], encoding="utf8").read()
    alphabet = sorted(set(text))
    lut = {c: i for i, c in enumerate(alphabet)}
    ids = torch.tensor([lut[c] for c in text])
    cut = int(0.88 * len(ids))
    xt, yt = windows(ids[:cut], cfg["data"]["window"])
    xv, yv = windows(ids[cut:], cfg["data"]["window"])

    net = CharRNN(len(alphabet), cfg["model"]["emb"], cfg["model"]["hidden"])
    ce = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(net.parameters(), lr=o["lr"], momentum=o["momentum"])
    for epoch in range(o["epochs"]):
        net.train()
        acc = 0.0
        order = torch.randperm(len(xt)).split(o["batch"])
        for idx in order:
            opt.zero_grad()
            loss = ce(net(xt[idx]).flatten(0, 1), yt[idx].flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), o["max_norm"])
            opt.step()
            acc += loss.item()
        net.eval()
        with torch.no_grad():
            v = ce(net(xv).flatten(0, 1), yv.flatten()).item()
        print(f"epoch {epoch + 1}: train {acc / len(order):.3f} nats/char, valid {v:.3f} nats/char")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "lm.toml")
