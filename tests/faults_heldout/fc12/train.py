import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import digit_sets
from engine import Engine


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--micro-batch", type=int, default=4)
    p.add_argument("--accumulate", type=int, default=1)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_set, test_set = digit_sets(args.seed)
    train_loader = DataLoader(train_set, args.micro_batch, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, 256)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.GroupNorm(4, 32), nn.ReLU(),
        nn.Conv2d(32, 32, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Linear(128, 10),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    engine = Engine(model, optimizer, nn.CrossEntropyLoss(), args.accumulate)
    for epoch in range(1, args.epochs + 1):
        tr = engine.train(train_loader)
        te = engine.evaluate(test_loader)
        print(f"epoch {epoch:2d}  train {tr['loss']:.3f}/{tr['acc']:.3f}  test {te['loss']:.3f}/{te['acc']:.3f}", flush=True)


if __name__ == "__main__":
    main()
