"""Sorts structure-borne sound snippets of a crusher by kind of impact."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from layers import ImpactNet
from stepper import HalfCosine, NesterovW

HERE = Path(__file__).parent
cfg = json.loads((HERE / "settings.json").read_text())
KINDS = ["rock", "tramp metal", "liner", "belt splice"]


def load(name, n_test, seed):
    raw = np.load(HERE / name)
    wave = raw["wave"].astype(np.float32) / 22.0
    kind = raw["kind"].astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(kind))
    test, train = order[:n_test], order[n_test:]
    return (wave[train], kind[train]), (wave[test], kind[test])


def draw(arrays, size, rng):
    """endless minibatches, a fresh permutation per pass"""
    x, y = arrays
    while True:
        order = rng.permutation(len(y))
        for s in range(0, len(order) - size + 1, size):
            take = order[s:s + size]
            yield torch.from_numpy(x[take]).unsqueeze(1), torch.from_numpy(y[take])


class Confusion:
    def __init__(self, n):
        self.table = np.zeros((n, n), dtype=int)

    def add(self, truth, guess):
        np.add.at(self.table, (truth, guess), 1)

    def accuracy(self):
        return self.table.trace() / self.table.sum()

    def recall(self):
        return self.table.diagonal() / self.table.sum(1)


def evaluate(net, arrays):
    net.eval()
    conf = Confusion(len(KINDS))
    with torch.no_grad():
        logits = net(torch.from_numpy(arrays[0]).unsqueeze(1))
    conf.add(arrays[1], logits.argmax(1).numpy())
    loss = F.cross_entropy(logits, torch.from_numpy(arrays[1])).item()
    net.train()
    return loss, conf


torch.manual_seed(cfg["seed"])
rng = np.random.default_rng(cfg["seed"])
train, test = load(cfg["file"], cfg["n_test"], seed=0)
net = ImpactNet(cfg["channels"], len(KINDS), cfg["scaler_backend"])
opt = NesterovW(net.parameters(), cfg["lr"], cfg["momentum"], cfg["decay"])
sched = HalfCosine(opt, cfg["steps"])

running = []
for step, (x, y) in enumerate(draw(train, cfg["batch"], rng), 1):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.advance()
    running.append(loss.item())
    if step % cfg["report_every"] == 0:
        val, conf = evaluate(net, test)
        print(f"{step:5d}  train {np.mean(running):.3f}  test {val:.3f}  accuracy {conf.accuracy():.3f}")
        running.clear()
    if step >= cfg["steps"]:
        break

for kind, r in zip(KINDS, conf.recall()):
    print(f"{kind:>12s}  recall {r:.2f}")
