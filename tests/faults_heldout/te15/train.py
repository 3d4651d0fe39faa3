import argparse

import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset

from model import ListingModel

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.manual_seed(args.seed)

df = pd.read_csv("data/listings.csv").sample(frac=1.0, random_state=12)
x = torch.tensor(df[["area_m2", "rooms", "centre_km", "built", "condition"]].to_numpy(), dtype=torch.float32)
zone = torch.tensor(df["zone"].to_numpy())
t = torch.tensor(df[["price", "days_on_market"]].to_numpy(), dtype=torch.float32)
k = 2500

model = ListingModel(x[:k], t[:k])
groups = [
    {"params": model.net.parameters(), "weight_decay": 0.02},
    {"params": model.zone.parameters(), "weight_decay": 0.0},
    {"params": [model.log_var], "weight_decay": 0.0, "lr": 10 * args.lr},
]
opt = torch.optim.AdamW(groups, lr=args.lr)
loader = DataLoader(TensorDataset(x[:k], zone[:k], t[:k]), batch_size=50, shuffle=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))

for epoch in range(args.epochs):
    model.train()
    total = 0.0
    for xb, zb, tb in loader:
        loss = model.loss(xb, zb, tb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        held = model.loss(x[k:], zone[k:], t[k:]).item()
        pred = model(x[k:], zone[k:])
        sq = (pred - t[k:]).pow(2).mean(0)
        rel = ((pred - t[k:]).abs() / t[k:]).median(0).values
    print(f"epoch {epoch:2d} loss {total / len(loader):+.4f} held-out {held:+.4f} | price mse {sq[0]:.4g} median error {100 * rel[0]:.1f}% "
          f"| days mse {sq[1]:.1f} median error {100 * rel[1]:.1f}%")
