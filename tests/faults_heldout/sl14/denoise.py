"""Denoiser for repeated short exposures: each frame is mapped to an independent second exposure of the same field."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

p = argparse.ArgumentParser()
p.add_argument("--frames", default="exposures.npz")
p.add_argument("--epochs", type=int, default=10)
p.add_argument("--batch", type=int, default=8)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--seed", type=int, default=1)
args = p.parse_args()
torch.manual_seed(args.seed)

z = np.load(args.frames)
first, second = (torch.from_numpy(z[k].astype(np.float32))[:, None] for k in ("first", "second"))
field = torch.from_numpy(z["field"].astype(np.float32))[:, None]     # long exposure, only for the last frames
n_val = len(field)
scale = first[:-n_val].std()
level = first[:-n_val].mean()
first, second, field = ((t - level) / scale for t in (first, second, field))


class Net(nn.Module):
    def __init__(self, ch=20):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(),
            nn.Conv2d(ch, ch, 3, padding=2, dilation=2), nn.ReLU(),
            nn.Conv2d(ch, ch, 3, padding=2, dilation=2), nn.ReLU(),
            nn.Conv2d(ch, 1, 3, padding=1))

    def forward(self, x):
        return self.body(x)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=args.lr)
train = DataLoader(TensorDataset(first[:-n_val], second[:-n_val]), args.batch, shuffle=True)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2 * args.lr, total_steps=args.epochs * len(train))
vx, vy = first[-n_val:], second[-n_val:]
print(f"raw frame against long exposure: {F.mse_loss(vx, field).item():.4f}")

for epoch in range(args.epochs):
    net.train()
    tot = 0.0
    for a, b in train:
        if torch.rand(()) < 0.5:
            a, b = b, a
        loss = F.mse_loss(net(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(a)
    net.eval()
    with torch.no_grad():
        out = net(vx)
    print(f"epoch {epoch}: train {tot / len(train.dataset):.4f}  val {F.mse_loss(out, vy).item():.4f}  "
          f"against long exposure {F.mse_loss(out, field).item():.4f}")
