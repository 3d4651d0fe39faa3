"""Behavioural cloning of the steering angle."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from pilot import make_pilot
from road import DriveLog
from transforms import Blot, Brightness, Compose, HorizontalFlip, Normalize

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=4)
opt = parser.parse_args()
torch.manual_seed(opt.seed)

norm = Normalize(0.45, 0.22)
train_tf = Compose([Brightness(0.3), HorizontalFlip(0.5), Blot(3), norm])
valid_tf = norm

train_set = DriveLog(2400, 61, train_tf)
valid_set = DriveLog(600, 62, valid_tf)
train_loader = DataLoader(train_set, batch_size=opt.batch, shuffle=True)
valid_loader = DataLoader(valid_set, batch_size=200)

pilot = make_pilot()
optimizer = torch.optim.RAdam(pilot.parameters(), lr=opt.lr)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opt.epochs)
huber = nn.SmoothL1Loss(beta=0.1)


def validate():
    pilot.eval()
    err, sq, angles = [], [], []
    with torch.no_grad():
        for img, angle in valid_loader:
            d = pilot(img) - angle
            err.append(d.abs())
            sq.append(d ** 2)
            angles.append(angle)
    angles = torch.cat(angles)
    return torch.cat(err).mean().item(), 1 - torch.cat(sq).mean().item() / angles.var().item()


for epoch in range(opt.epochs):
    pilot.train()
    seen, total = 0, 0.0
    for img, angle in train_loader:
        loss = huber(pilot(img), angle)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(img)
        seen += len(img)
    scheduler.step()
    mae, r2 = validate()
    print(f"epoch {epoch + 1:2d}: huber {total / seen:.4f}  valid mae {mae:.3f} rad  r2 {r2:.3f}")
