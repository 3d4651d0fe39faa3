"""Keyword spotting on quantised MFCC frames (13 coefficients x 24 frames)."""
import argparse
import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class SpotNet(nn.Module):
    def __init__(self, n_coef, n_words, channels, keep_prob):
        super().__init__()
        self.bn_in = nn.BatchNorm1d(n_coef)
        self.c1 = nn.Conv1d(n_coef, channels, 5, padding=2)
        self.c2 = nn.Conv1d(channels, channels, 3, padding=1)
        self.drop = nn.Dropout(keep_prob)
        self.h = nn.Linear(channels * 6, 64)
        self.o = nn.Linear(64, n_words)

    def forward(self, m):
        x = F.max_pool1d(F.relu(self.c1(self.bn_in(m))), 2)
        x = F.max_pool1d(F.relu(self.c2(self.drop(x))), 2)
        x = F.relu(self.h(self.drop(x.flatten(1))))
        return self.o(self.drop(x))


def iterate(x, y, bs):
    order = torch.randperm(len(x))
    for i in range(0, len(x) - bs + 1, bs):
        j = order[i : i + bs]
        yield x[j], y[j]


def test(net, x, y):
    net.eval()
    with torch.no_grad():
        z = net(x)
    return F.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--params", default="params.json")
    hp = json.load(open(p.parse_args().params))
    torch.manual_seed(hp["seed"])
    d = np.load("words.npz")
    scale = float(d["scale"])
    x_tr, x_te = (torch.from_numpy(d[k]).float() * scale for k in ("mfcc_train", "mfcc_test"))
    y_tr, y_te = (torch.from_numpy(d[k]).long() for k in ("word_train", "word_test"))
    net = SpotNet(x_tr.shape[1], int(y_tr.max()) + 1, hp["channels"], hp["keep_prob"])
    opt = torch.optim.Adam(net.parameters(), lr=hp["learning_rate"])
    for epoch in range(hp["epochs"]):
        net.train()
        s = k = 0
        for x, y in iterate(x_tr, y_tr, hp["batch_size"]):
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s, k = s + loss.item(), k + 1
        if (epoch + 1) % 4 == 0:
            l, a = test(net, x_te, y_te)
            print(f"epoch {epoch + 1:>2}  train ce {s / k:.3f}  test ce {l:.3f}  test acc {a:.3f}")


if __name__ == "__main__":
    main()
