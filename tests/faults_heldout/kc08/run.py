import argparse

import torch

from har.data import load
from har.engine import score, train_epoch
from har.network import WristNet

p = argparse.ArgumentParser()
p.add_argument("--data", default="wrist.npz")
p.add_argument("--epochs", type=int, default=14)
p.add_argument("--lr", type=float, default=1e-3)
p.add_argument("--batch-size", type=int, default=48)
a = p.parse_args()

torch.manual_seed(8)
(x, y), test = load(a.data)
net = WristNet()
opt = torch.optim.Adam(net.parameters(), lr=a.lr)
for e in range(1, a.epochs + 1):
    tl = train_epoch(net, opt, x, y, a.batch_size)
    vl, va = score(net, test)
    print("epoch %d: train loss %.4f, held-out loss %.4f, held-out accuracy %.3f" % (e, tl, vl, va))
