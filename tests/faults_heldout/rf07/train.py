import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from kws import SpotNet, load

p = argparse.ArgumentParser()
p.add_argument("--micro", type=int, default=4)
p.add_argument("--accumulate", type=int, default=14)
p.add_argument("--lr", type=float, default=0.05)
p.add_argument("--epochs", type=int, default=16)
args = p.parse_args()

torch.manual_seed(100)
train_set, test_set = load("logmel.npz")
train_loader = DataLoader(train_set, batch_size=args.micro, shuffle=True)
test_loader = DataLoader(test_set, batch_size=120)
net = SpotNet()
opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)

for epoch in range(args.epochs):
    net.train()
    running = 0.0
    for i, (x, y) in enumerate(train_loader):
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(x), y)
        (loss / args.accumulate).backward()
        running += loss.item() * len(y)
        if (i + 1) % args.accumulate == 0:
            opt.step()

    net.eval()
    hit, nll = 0, 0.0
    with torch.no_grad():
        for x, y in test_loader:
            out = net(x)
            hit += (out.argmax(1) == y).sum().item()
            nll += F.cross_entropy(out, y, reduction="sum").item()
    print(f"epoch {epoch} loss {running / len(train_set):.4f} test {nll / len(test_set):.4f} acc {hit / len(test_set):.3f}")
