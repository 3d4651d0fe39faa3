"""Pool-based active learning with MC-dropout (BALD) on handwritten digits."""
import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

START, ADD, ROUNDS = 40, 30, 7
EPOCHS = 45
MC = 12


def new_model():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.Dropout2d(0.1),
        nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 10),
    )


def fit(x, y):
    model = new_model()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
    model.train()
    for _ in range(EPOCHS):
        for idx in torch.randperm(len(y)).split(20):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return model, loss.item()


@torch.no_grad()
def bald(model, x):
    model.train()
    p = torch.stack([model(x).softmax(1) for _ in range(MC)])
    mean = p.mean(0)
    total = -(mean * (mean + 1e-9).log()).sum(1)
    expected = -(p * (p + 1e-9).log()).sum(2).mean(0)
    return total - expected


@torch.no_grad()
def test_accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(31)
    rng = np.random.default_rng(31)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3
    y = torch.tensor(d.target)
    order = rng.permutation(len(y))
    test, pool = order[:500], order[500:]
    labelled = list(pool[:START])
    unlabelled = list(pool[START:])

    for r in range(ROUNDS):
        model, last = fit(x[labelled], y[labelled])
        acc = test_accuracy(model, x[test], y[test])
        print(f"round {r}: {len(labelled):3d} labels, last batch loss {last:.4f}, test acc {acc:.4f}")
        if r == ROUNDS - 1:
            break
        score = bald(model, x[unlabelled])
        top = set(score.topk(ADD).indices.tolist())
        labelled += [u for i, u in enumerate(unlabelled) if i in top]
        unlabelled = [u for i, u in enumerate(unlabelled) if i not in top]

    control, _ = fit(x[pool[:len(labelled)]], y[pool[:len(labelled)]])
    print(f"random selection with {len(labelled)} labels: test acc {test_accuracy(control, x[test], y[test]):.4f}")


if __name__ == "__main__":
    main()
