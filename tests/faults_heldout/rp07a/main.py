import argparse

import torch
from torch.nn.functional import cross_entropy

from corpus import IGNORE, encode, iterate, read_columns, read_vectors
from tagger import SlotTagger


def evaluate(net, data):
    net.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for x, lengths, y in iterate(data, 100, shuffle=False):
            logits = net(x, lengths)
            loss += cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=IGNORE, reduction="sum").item()
            mask = y != IGNORE
            hit += (logits.argmax(-1) == y)[mask].sum().item()
            n += mask.sum().item()
    net.train()
    return loss / n, hit / n


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--vectors", default="vectors.npz")
    p.add_argument("--hidden", type=int, default=40)
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=4e-3)
    a = p.parse_args()
    torch.manual_seed(9)

    train_s, dev_s = read_columns("recipes.train.tsv"), read_columns("recipes.dev.tsv")
    tags = sorted({g for s in train_s for _, g in s})
    words, vectors = read_vectors(a.vectors)
    train, dev = encode(train_s, words, tags), encode(dev_s, words, tags)
    net = SlotTagger(vectors, a.hidden, len(tags))
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.epochs)
    for epoch in range(a.epochs):
        tot = k = 0
        for x, lengths, y in iterate(train, 24, shuffle=True):
            loss = cross_entropy(net(x, lengths).flatten(0, 1), y.flatten(), ignore_index=IGNORE)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            tot, k = tot + loss.item(), k + 1
        sched.step()
        dl, da = evaluate(net, dev)
        print(f"[{epoch}] train {tot / k:.4f}  dev {dl:.4f}  token acc {da:.4f}")
