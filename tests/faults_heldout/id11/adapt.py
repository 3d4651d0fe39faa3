"""Adapts the studio-recording classifier to the microphones in the forest."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from birds.model import CallNet

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--weights", default="studio.pt")
parser.add_argument("--clips", default="forest.npz")
parser.add_argument("--rate", type=float, default=1e-4)
parser.add_argument("--epochs", type=int, default=14)
parser.add_argument("--anchor", type=float, default=0.01, help="pull towards the studio weights")
args = parser.parse_args()

torch.manual_seed(27)
z = np.load(args.clips)
x = torch.from_numpy(z["patch"].astype(np.float32)).unsqueeze(1) / 15.0
y = torch.from_numpy(z["species"].astype(np.int64))
stats = torch.load(args.weights)
x = (x - stats["mean"]) / stats["std"]
n = int(len(x) * 0.7)
train = DataLoader(TensorDataset(x[:n], y[:n]), batch_size=16, shuffle=True)
val = DataLoader(TensorDataset(x[n:], y[n:]), batch_size=128)

net = CallNet()
net.load_state_dict(stats["net"])
studio = [p.detach().clone() for p in net.parameters()]


def evaluate():
    net.eval()
    loss, right, count = 0.0, 0, 0
    with torch.no_grad():
        for bx, by in val:
            out = net(bx)
            loss += F.cross_entropy(out, by, reduction="sum").item()
            right += (out.argmax(1) == by).sum().item()
            count += len(by)
    return loss / count, right / count


print("studio weights on forest clips: loss %.4f acc %.4f" % evaluate())
opt = torch.optim.Adam(net.parameters(), lr=args.rate)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train))
for epoch in range(args.epochs):
    net.train()
    total = 0.0
    for bx, by in train:
        ce = F.cross_entropy(net(bx), by)
        drift = sum((p - s).pow(2).sum() for p, s in zip(net.parameters(), studio))
        opt.zero_grad()
        (ce + args.anchor * drift).backward()
        opt.step()
        sched.step()
        total += ce.item() * len(by)
    print("epoch %2d  train %.4f  val %.4f  acc %.4f" % (epoch + 1, total / n, *evaluate()))
