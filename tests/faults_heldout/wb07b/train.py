import argparse
from pathlib import Path

import torch
from torch import nn

from camera import make_splits


def build(width, size):
    side = size // 2
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.LeakyReLU(0.1),
        nn.Conv2d(width, width, 3, padding=1), nn.LeakyReLU(0.1),
        nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 3, padding=1), nn.LeakyReLU(0.1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(2 * width * side * side, 10),
    )


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, value, n):
        self.total += value * n
        self.n += n

    @property
    def mean(self):
        return self.total / max(1, self.n)


def parse():
    ap = argparse.ArgumentParser(description="Digit reader for the counter camera")
    ap.add_argument("--frames", default="frames.npz")
    ap.add_argument("--roi", type=int, nargs=4, metavar=("X", "Y", "W", "H"), required=True)
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--momentum", type=float, default=0.9)
    ap.add_argument("--batch-size", type=int, default=40)
    ap.add_argument("--width", type=int, default=12)
    ap.add_argument("--seed", type=int, default=9)
    return ap.parse_args()


def main():
    args = parse()
    if args.roi[2] != args.roi[3]:
        raise SystemExit("the reader expects a square region")
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    train, test = make_splits(Path(__file__).parent / args.frames, args.roi, 0.25, args.seed)
    net = build(args.width, args.roi[2])
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=args.momentum, nesterov=True, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [int(args.epochs * 0.6), int(args.epochs * 0.85)], gamma=0.2)
    gen = torch.Generator().manual_seed(args.seed)
    print(f"train {len(train)} / test {len(test)} crops of {tuple(train.x.shape[1:])}")

    for epoch in range(args.epochs):
        net.train()
        loss_meter, acc_meter = Meter(), Meter()
        for x, y in train.shuffled(args.batch_size, gen):
            logits = net(x)
            loss = loss_fn(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            loss_meter.add(loss.item(), len(y))
            acc_meter.add((logits.argmax(1) == y).float().mean().item(), len(y))
        sched.step()
        net.eval()
        with torch.no_grad():
            test_acc = (net(test.x).argmax(1) == test.y).float().mean().item()
        print(f"epoch {epoch:2d}: loss {loss_meter.mean:.4f} train acc {acc_meter.mean:.3f} test acc {test_acc:.3f}")


if __name__ == "__main__":
    main()
