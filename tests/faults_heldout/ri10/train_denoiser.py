import json
import math

import torch
from sklearn.datasets import load_digits

from averaging import WeightAverage
from nets import Denoiser

cfg = json.load(open("config.json"))
torch.manual_seed(cfg["seed"])

images = torch.tensor(load_digits().data, dtype=torch.float32) / 8.0 - 1.0
perm = torch.randperm(len(images))
train, held = images[perm[:1500]], images[perm[1500:]]


def draw_sigma(n, gen=None):
    lo, hi = math.log(cfg["sigma_min"]), math.log(cfg["sigma_max"])
    return torch.exp(lo + (hi - lo) * torch.rand(n, 1, generator=gen))


def objective(net, x, gen=None):
    sigma = draw_sigma(len(x), gen)
    noisy = x + sigma * torch.randn(x.shape, generator=gen)
    return ((net(noisy, sigma) - x) ** 2).mean()


@torch.no_grad()
def held_out(net):
    gen = torch.Generator().manual_seed(99)
    return objective(net, held, gen).item()


model = Denoiser(train.shape[1], cfg["width"])
average = WeightAverage(model, cfg["ema_decay"])
opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

for step in range(1, cfg["steps"] + 1):
    batch = train[torch.randint(len(train), (cfg["batch"],))]
    loss = objective(model, batch)
    opt.zero_grad()
    loss.backward()
    opt.step()
    average.update(model)
    if step % 70 == 0:
        print(f"step {step:4d} loss {loss.item():.4f} held-out {held_out(average.shadow):.4f}")

torch.manual_seed(0)
x = torch.randn(16, train.shape[1]) * cfg["sigma_max"]
levels = torch.logspace(math.log10(cfg["sigma_max"]), math.log10(cfg["sigma_min"]), 12)
with torch.no_grad():
    for a, b in zip(levels[:-1], levels[1:]):
        clean = average.shadow(x, a.expand(16, 1))
        x = clean + b / a * (x - clean)
print("sample mean / std", round(x.mean().item(), 3), round(x.std().item(), 3))
