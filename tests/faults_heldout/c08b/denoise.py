# Residual denoiser for 8x8 digit scans; the averaged weights are the ones we ship.
import configparser
import copy
import math
import os

import torch
import torch.nn as nn
from sklearn.datasets import load_digits

ini = configparser.ConfigParser()
ini.read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "denoise.ini"))


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Conv2d(c, c, 3, padding=1)
        self.b = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


class Denoiser(nn.Module):
    def __init__(self, c, blocks):
        super().__init__()
        self.inp = nn.Conv2d(1, c, 3, padding=1)
        self.body = nn.Sequential(*[ResBlock(c) for _ in range(blocks)])
        self.out = nn.Conv2d(c, 1, 3, padding=1)

    def forward(self, x):
        return x - self.out(torch.relu(self.body(self.inp(x))))


class WeightAverage:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(p, 1 - self.decay)


def psnr(model, noisy, clean):
    with torch.no_grad():
        mse = (model(noisy) - clean).square().mean().item()
    return -10 * math.log10(mse)


torch.manual_seed(6)
sigma = ini.getfloat("data", "noise")
images = torch.tensor(load_digits().images, dtype=torch.float32)[:, None] / 16
images = images[torch.randperm(len(images))]
n_val = ini.getint("data", "valid")
val, train = images[:n_val], images[n_val:]
val_noisy = val + sigma * torch.randn_like(val)

net = Denoiser(ini.getint("net", "channels"), ini.getint("net", "blocks"))
avg = WeightAverage(net, ini.getfloat("average", "decay"))
opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("optim", "lr"))
batch = ini.getint("optim", "batch")

print(f"noisy input {-10 * math.log10((val_noisy - val).square().mean().item()):.2f} dB")
for epoch in range(ini.getint("optim", "epochs")):
    net.train()
    acc = []
    for idx in torch.randperm(len(train)).split(batch):
        clean = train[idx]
        noisy = clean + sigma * torch.randn_like(clean)
        loss = (net(noisy) - clean).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg.update(net)
        acc.append(loss.item())
    print(f"epoch {epoch}: train mse {sum(acc) / len(acc):.4f}, validation {psnr(avg.model, val_noisy, val):.2f} dB")
