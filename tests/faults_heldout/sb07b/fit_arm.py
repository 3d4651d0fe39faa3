import argparse
import math
import pathlib

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser(description="learn the forward kinematics of the planar arm from logged poses")
parser.add_argument("--log", default="arm_log.npz")
parser.add_argument("--hidden", type=int, default=64)
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--batch-size", type=int, default=128)
parser.add_argument("--lr", type=float, default=5e-3)
parser.add_argument("--seed", type=int, default=9)
args = parser.parse_args()

torch.manual_seed(args.seed)
log = np.load(pathlib.Path(__file__).parent / args.log)
angles = torch.from_numpy(log["angles"]).float()      # (n, 3) radians
tip = torch.from_numpy(log["tip"]).float()            # (n, 2) metres

n_test = 1000
angles_tr, angles_te = angles[:-n_test] / math.pi, angles[-n_test:] / math.pi
tip_tr, tip_te = tip[:-n_test], tip[-n_test:]


def mlp(n_in, n_out, width, depth):
    layers = []
    for i in range(depth):
        layers += [nn.Linear(n_in if i == 0 else width, width), nn.SiLU()]
    return nn.Sequential(*layers, nn.Linear(width, n_out))


net = mlp(3, 2, args.hidden, args.layers)
optim = torch.optim.Adam(net.parameters(), lr=args.lr)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optim, T_max=args.epochs)
criterion = nn.MSELoss()


def r2(pred, true):
    return 1.0 - ((pred - true) ** 2).sum().item() / ((true - true.mean(0)) ** 2).sum().item()


for epoch in range(args.epochs):
    net.train()
    perm = torch.randperm(len(angles_tr))
    running = 0.0
    for i in range(0, len(perm), args.batch_size):
        b = perm[i:i + args.batch_size]
        loss = criterion(net(angles_tr[b]), tip_tr[b])
        optim.zero_grad()
        loss.backward()
        optim.step()
        running += loss.item() * len(b)
    schedule.step()
    if (epoch + 1) % 3 == 0:
        net.eval()
        with torch.no_grad():
            pred = net(angles_te)
            rmse = (pred - tip_te).pow(2).sum(1).mean().sqrt().item()
        print("epoch %3d  train mse %.5f  test mse %.5f  tip error %.1f cm  R2 %.3f" % (
            epoch + 1, running / len(perm), criterion(pred, tip_te).item(), 100 * rmse, r2(pred, tip_te)))
