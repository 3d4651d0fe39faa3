import argparse

import numpy as np
import torch
import torch.nn.functional as F

from audio import mu_decode, mu_encode, read_wav
from model import WaveStack

ap = argparse.ArgumentParser()
ap.add_argument("--wav", default="voice.wav")
ap.add_argument("--levels", type=int, default=64)
ap.add_argument("--channels", type=int, default=24)
ap.add_argument("--window", type=int, default=256)
ap.add_argument("--steps", type=int, default=140)
ap.add_argument("--batch", type=int, default=12)
ap.add_argument("--lr", type=float, default=4e-3)
args = ap.parse_args()

torch.manual_seed(0)
rng = np.random.default_rng(0)
signal, rate = read_wav(args.wav)
codes = torch.from_numpy(mu_encode(signal, args.levels))
cut = int(len(codes) * 0.85)
train_codes, valid_codes = codes[:cut], codes[cut:]


def windows(src, starts, length):
    return torch.stack([src[s:s + length] for s in starts])


net = WaveStack(args.levels, args.channels, (1, 2, 4, 8, 16))
opt = torch.optim.Adam(net.parameters(), lr=args.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
valid = windows(valid_codes, range(0, len(valid_codes) - args.window - 1, args.window), args.window + 1)

for step in range(1, args.steps + 1):
    starts = rng.integers(0, len(train_codes) - args.window - 1, args.batch)
    w = windows(train_codes, starts, args.window + 1)
    loss = F.cross_entropy(net(w[:, :-1]), w[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 20 == 0:
        net.eval()
        with torch.no_grad():
            v = F.cross_entropy(net(valid[:, :-1]), valid[:, 1:])
        net.train()
        print(f"step {step} nll {loss.item():.3f} valid {v.item():.3f}")

net.eval()
with torch.no_grad():
    seq = valid[:, :128]
    for _ in range(8):
        nxt = net(seq[:, -128:])[:, :, -1].argmax(1, keepdim=True)
        seq = torch.cat([seq, nxt], 1)
err = np.abs(mu_decode(seq[:, 128:], args.levels) - mu_decode(valid[:, 128:136], args.levels)).mean()
print(f"continuation of 8 samples: mean abs error {err:.4f} (signal mean abs {np.abs(signal).mean():.4f})")
