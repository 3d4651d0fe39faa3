import argparse

import torch

from engine import fit_epoch, inspect_fleet
from model import VibrationNet
from signals import CLASSES, machines, training_set

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--batch", type=int, default=50)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=9)
opt = parser.parse_args()

torch.manual_seed(opt.seed)
x, y = training_set(2000, opt.seed)
fleet = machines(40, 16, opt.seed + 500)
model = VibrationNet(len(CLASSES))
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr)

for epoch in range(1, opt.epochs + 1):
    loss, acc = fit_epoch(model, x, y, optimizer, opt.batch)
    vloss, vacc = inspect_fleet(model, fleet)
    print(f"epoch {epoch:2d} | train {loss:.4f} / {acc:.3f} | fleet {vloss:.4f} / {vacc:.3f}")
