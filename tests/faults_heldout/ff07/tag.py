import logging
import os
import sys

import torch
import torch.nn.functional as F

from tagger import Tagger

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("tag")


def read_corpus(path):
    words, tags = {}, {}
    X, Y = [], []
    for line in open(path):
        pairs = [p.rsplit("/", 1) for p in line.split()]
        X.append([words.setdefault(w, len(words)) for w, _ in pairs])
        Y.append([tags.setdefault(t, len(tags)) for _, t in pairs])
    return torch.tensor(X), torch.tensor(Y), words, tags


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(2)
    x, y, words, tags = read_corpus(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tagged.txt"))
    n = 2200
    xt, yt, xv, yv = x[:n], y[:n], x[n:], y[n:]
    majority = yt.flatten().mode().values
    log.info("%d words, %d tags, majority tag accuracy %.3f", len(words), len(tags), (yv == majority).float().mean())

    model = Tagger(len(words), len(tags), x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    epochs, bs = 12, 40
    steps = epochs * (n // bs)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-3, total_steps=steps, pct_start=0.15)
    for ep in range(epochs):
        model.train()
        perm = torch.randperm(n)
        acc_loss = 0.0
        for b in range(n // bs):
            ix = perm[b * bs:(b + 1) * bs]
            loss = F.cross_entropy(model(xt[ix]).flatten(0, 1), yt[ix].flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            acc_loss += loss.item()
        if ep % 2 == 1:
            log.info("epoch %2d  loss %.4f  dev tag accuracy %.4f", ep + 1, acc_loss / (n // bs), accuracy(model, xv, yv))


if __name__ == "__main__":
    main()
