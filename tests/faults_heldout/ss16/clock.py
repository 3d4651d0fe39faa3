# Learn the addition table of a 41-hour clock from a part of its entries.
import argparse
import os

import numpy as np
import torch
import torch.nn as nn

here = os.path.dirname(os.path.abspath(__file__))
p = argparse.ArgumentParser()
p.add_argument("--hours", type=int, default=41)
p.add_argument("--dim", type=int, default=48)
p.add_argument("--width", type=int, default=128)
p.add_argument("--lr", type=float, default=5e-3)
p.add_argument("--warmup", type=int, default=10)
p.add_argument("--weight-decay", type=float, default=2.0)
p.add_argument("--updates", type=int, default=1500)
p.add_argument("--seed", type=int, default=0)
args = p.parse_args()
torch.manual_seed(args.seed)


def table(name):
    t = torch.from_numpy(np.loadtxt(os.path.join(here, name), dtype=np.int64))
    return t[:, :2], t[:, 2]


class Clock(nn.Module):
    def __init__(self):
        super().__init__()
        self.hour = nn.Embedding(args.hours, args.dim)
        self.mix = nn.Linear(args.dim, args.width)
        self.read = nn.Linear(args.width, args.hours, bias=False)

    def forward(self, ab):
        return self.read(torch.relu(self.mix(self.hour(ab).sum(1))))


known, sums = table("known.txt")
asked, answers = table("asked.txt")
net = Clock()
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay, betas=(0.9, 0.98))
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / args.warmup))
ce = nn.CrossEntropyLoss()

for update in range(1, args.updates + 1):
    out = net(known)
    loss = ce(out, sums)
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    if update % 50 == 0:
        with torch.no_grad():
            guess = net(asked)
            print(f"{update:5d}  known {loss.item():.4f} ({(out.argmax(1) == sums).float().mean():.3f})  "
                  f"asked {ce(guess, answers).item():.4f} ({(guess.argmax(1) == answers).float().mean():.3f})")
