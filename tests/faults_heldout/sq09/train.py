"""Noise-conditional score model of lightning strike positions (denoising score matching),
samples drawn with annealed Langevin dynamics."""
import copy
import pathlib
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(2)
gen = torch.Generator().manual_seed(2)

pts = torch.from_numpy(np.load(pathlib.Path(__file__).parent / "strikes.npy"))
pts = pts[torch.randperm(len(pts), generator=gen)]
train, held = pts[:1800], pts[1800:]
sigmas = torch.logspace(np.log10(3.0), np.log10(0.08), 10)


class Score(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, sigma):
        s = sigma[:, None]
        # the network predicts the noise, hence score = -eps / sigma
        return -self.net(torch.cat([x / (s ** 2 + 4).sqrt(), x / 2, s.log()], 1)) / s


def dsm_loss(model, x):
    sigma = sigmas[torch.randint(len(sigmas), (len(x),))]
    noise = torch.randn_like(x)
    score = model(x + sigma[:, None] * noise, sigma)
    # weighted with sigma^2; the target -noise/sigma is random, so the loss cannot go to zero
    return ((sigma[:, None] * score + noise) ** 2).sum(1).mean()


@torch.no_grad()
def langevin(model, n, steps=30, eps=0.006):
    x = torch.randn(n, 2) * sigmas[0]
    for s in sigmas:
        step = eps * (s / sigmas[-1]) ** 2
        for _ in range(steps):
            x = x + step / 2 * model(x, s.expand(n)) + step.sqrt() * torch.randn_like(x)
    return x + sigmas[-1] ** 2 * model(x, sigmas[-1].expand(n))


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


model = Score()
slow = copy.deepcopy(model)          # averaged weights, used for sampling only
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 3000)
print(f"energy distance train/held-out (floor): {energy_distance(train[:800], held):.4f}, "
      f"gaussian fit: {energy_distance(train.mean(0) + torch.randn(800, 2) * train.std(0), held):.4f}")
avg = None
for it in range(1, 3001):
    loss = dsm_loss(model, train[torch.randint(len(train), (256,))])
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    with torch.no_grad():
        for p_slow, p in zip(slow.parameters(), model.parameters()):
            p_slow.lerp_(p, 0.01)
    avg = loss.item() if avg is None else 0.99 * avg + 0.01 * loss.item()
    if it % 250 == 0 or it == 50:
        d = energy_distance(langevin(slow, 800), held)
        print(f"it {it:5d}  dsm {avg:.4f}  energy distance of samples {d:.4f}")
