import argparse
import random
from contextlib import contextmanager

import torch
from torch.nn.functional import mse_loss

from molgraph import GraphRegressor, load


@contextmanager
def gradients(optimizer):
    optimizer.zero_grad(set_to_none=True)
    yield


def test_error(model, graphs, mean, std):
    model.eval()
    with torch.no_grad():
        pred = torch.stack([model(a, adj) for a, adj, _ in graphs])
    y = (torch.stack([g[2] for g in graphs]) - mean) / std
    return mse_loss(pred, y).item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--accumulate", type=int, default=20, help="graphs per update (they differ in size, so one forward each)")
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    random.seed(a.seed)

    train, test, mean, std = load("molecules.json")
    model = GraphRegressor()
    optimizer = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9)
    for epoch in range(1, a.epochs + 1):
        model.train()
        random.shuffle(train)
        total = 0.0
        for i, (atoms, adj, y) in enumerate(train, 1):
            with gradients(optimizer):
                loss = mse_loss(model(atoms, adj), (y - mean) / std)
                (loss / a.accumulate).backward()
            if i % a.accumulate == 0:
                optimizer.step()
            total += loss.item()
        print(f"epoch {epoch:2d} train {total / len(train):.4f} test {test_error(model, test, mean, std):.4f}")


if __name__ == "__main__":
    main()
