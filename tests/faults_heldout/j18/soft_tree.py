"""Soft decision tree (Frosst & Hinton): inner nodes route with sigmoid(w.x + b), leaves hold class logits."""
import json
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn


class SoftDecisionTree(nn.Module):
    def __init__(self, d_in, n_classes, depth, temperature):
        super().__init__()
        self.depth = depth
        self.temperature = temperature
        self.gates = nn.Linear(d_in, 2 ** depth - 1)
        self.leaves = nn.Parameter(0.1 * torch.randn(2 ** depth, n_classes))

    def leaf_probabilities(self, x):
        right = torch.sigmoid(self.gates(x) / self.temperature)
        prob = torch.ones(len(x), 1)
        first = 0
        for level in range(self.depth):
            n = 2 ** level
            r = right[:, first:first + n]
            prob = torch.stack([prob * (1 - r), prob * r], -1).flatten(1)
            first += n
        return prob

    def forward(self, x):
        # log of the mixture of the leaf distributions
        log_leaf = torch.log_softmax(self.leaves, -1)
        mix = self.leaf_probabilities(x) @ log_leaf.exp()
        return mix.clamp_min(1e-8).log()


def run(cfg):
    torch.manual_seed(cfg["seed"])
    d = load_digits()
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)
    y = torch.tensor(d.target)
    perm = torch.randperm(len(y))
    tr, va = perm[:1400], perm[1400:]
    x = x - x[tr].mean(0)

    tree = SoftDecisionTree(64, 10, cfg["depth"], cfg["temperature"])
    opt = torch.optim.Adam(tree.parameters(), lr=cfg["lr"])
    nll = nn.NLLLoss()
    history = []
    for epoch in range(cfg["epochs"]):
        tree.train()
        total = 0.0
        for idx in tr[torch.randperm(len(tr))].split(cfg["batch_size"]):
            loss = nll(tree(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        tree.eval()
        with torch.no_grad():
            out = tree(x[va])
        history.append((total / len(tr), nll(out, y[va]).item(), (out.argmax(1) == y[va]).float().mean().item()))
        print("epoch %2d  train nll %.4f  val nll %.4f  val acc %.4f" % (epoch, *history[-1]))
    return history


if __name__ == "__main__":
    run(json.loads((Path(__file__).parent / "tree.json").read_text()))
