"""Online condition monitoring of pump bearings.

Windows arrive one after the other from the test bench; the network is updated after each arrival with the new windows and a few
rehearsed ones, so that an operating point which was not visited for a while is not forgotten.
"""
import json
import math
import random

import numpy as np
import torch
from torch import nn

with open("settings.json") as fh:
    CFG = json.load(fh)

RATE, SPAN = 8000, 4096
STATES = ("good", "outer race", "inner race", "cage")
RNG = np.random.default_rng(CFG["seed"])
torch.manual_seed(CFG["seed"])


def bench(n, speed):
    """n windows at a shaft speed in Hz: [n, SPAN] accelerations and the states."""
    t = np.arange(SPAN) / RATE
    state = RNG.integers(0, len(STATES), n)
    out = np.empty((n, SPAN), dtype=np.float32)
    for i, s in enumerate(state):
        f = speed * RNG.uniform(0.97, 1.03)
        wave = 0.7 * np.sin(2 * math.pi * f * t + RNG.uniform(0, 6)) + RNG.normal(0, 0.6, SPAN)
        if s:
            ratio, ring = ((3.6, 2200), (5.4, 2900), (0.9, 1300))[s - 1]
            phase = (t * f * ratio + RNG.uniform()) % 1.0 / (f * ratio)
            wave += RNG.uniform(1.0, 2.0) * np.exp(-phase * 600) * np.sin(2 * math.pi * ring * RNG.uniform(0.9, 1.1) * phase)
        out[i] = wave
    return torch.from_numpy(out), torch.from_numpy(state)


def picture(waves):
    """Log spectrogram, [n, 1, 129, 129], roughly zero mean and unit variance."""
    spec = torch.stft(waves, 256, hop_length=32, window=torch.hann_window(256), return_complex=True).abs()
    return ((spec + 1e-2).log() - 1.9).div(0.8).unsqueeze(1)


class Rehearsal:
    """Past pictures with their states; the oldest give way when the capacity is reached."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []
        self.cursor = 0
        self.picker = random.Random(CFG["seed"])

    def add(self, pictures, states):
        for p, s in zip(pictures, states):
            item = (p.clone(), int(s))
            if len(self.items) < self.capacity:
                self.items.append(item)
            else:
                self.items[self.cursor] = item
                self.cursor = (self.cursor + 1) % self.capacity

    def draw(self, n):
        chosen = self.picker.sample(self.items, min(n, len(self.items)))
        return torch.stack([p for p, _ in chosen]), torch.tensor([s for _, s in chosen])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 5, stride=(4, 8), padding=2), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=(2, 1), padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d((8, 1)), nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, len(STATES)))

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=CFG["lr"])
memory = Rehearsal(CFG["rehearsal"]["capacity"])
speeds = CFG["speeds_hz"]

held = [bench(60, v) for v in speeds]
held_x = picture(torch.cat([w for w, _ in held]))
held_y = torch.cat([s for _, s in held])

recent = []
for step in range(1, CFG["arrivals"] + 1):
    speed = speeds[(step // CFG["arrivals_per_speed"]) % len(speeds)]
    waves, states = bench(CFG["windows_per_arrival"], speed)
    x = picture(waves)

    net.train()
    if memory.items:
        old_x, old_s = memory.draw(CFG["rehearsal"]["per_step"])
        batch_x, batch_s = torch.cat([x, old_x]), torch.cat([states, old_s])
    else:
        batch_x, batch_s = x, states
    loss = nn.functional.cross_entropy(net(batch_x), batch_s)
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.add(x, states)

    recent.append(loss.item())
    if step % 50 == 0:
        net.eval()
        with torch.no_grad():
            logits = net(held_x)
        acc = (logits.argmax(1) == held_y).float().mean().item()
        val = nn.functional.cross_entropy(logits, held_y).item()
        print(f"arrival {step:4d}  {speed:4.1f} Hz  loss {sum(recent) / len(recent):.3f}  held-out {val:.3f}  accuracy {acc:.3f}")
        recent.clear()
