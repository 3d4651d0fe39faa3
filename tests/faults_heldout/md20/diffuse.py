import math

import numpy as np
import torch
from torch import nn

T, STEPS, BATCH, LR = 60, 1600, 192, 8e-3


class Denoiser(nn.Module):
    def __init__(self, h=96, emb=16):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(60), emb // 2)))
        self.net = nn.Sequential(nn.Linear(2 + emb, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))

    def forward(self, x, t):
        w = (t.float() / T)[:, None] * self.freq
        return self.net(torch.cat([x, w.sin(), w.cos()], 1))


s = torch.arange(T + 1) / T
f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
beta = (1 - f[1:] / f[:-1]).clamp(max=0.999)
abar = (1 - beta).cumprod(0)


@torch.no_grad()
def draw(model, n):
    x = torch.randn(n, 2)
    for k in reversed(range(T)):
        t = torch.full((n,), k)
        eps = model(x, t)
        x0 = ((x - (1 - abar[k]).sqrt() * eps) / abar[k].sqrt()).clamp(-3, 3)
        prev = abar[k - 1] if k else torch.tensor(1.0)
        mean = prev.sqrt() * beta[k] / (1 - abar[k]) * x0 + (1 - beta[k]).sqrt() * (1 - prev) / (1 - abar[k]) * x
        x = mean + (beta[k] * (1 - prev) / (1 - abar[k])).sqrt() * torch.randn_like(x)
    return x


def energy(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


if __name__ == "__main__":
    torch.manual_seed(606)
    x = torch.from_numpy(np.load("tracks.npy"))
    x = x[torch.randperm(len(x))]
    train, test = x[:2400], x[2400:]
    mu, sd = train.mean(0), train.std(0)
    train, test = (train - mu) / sd, (test - mu) / sd
    model = Denoiser()
    ema = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    run = None
    tq = torch.arange(len(test)) % T
    nq = torch.randn(test.shape, generator=torch.Generator().manual_seed(1))
    for step in range(1, STEPS + 1):
        x0 = train[torch.randint(0, len(train), (BATCH,))]
        t = torch.randint(0, T, (BATCH,))
        eps = torch.randn_like(x0)
        a = abar[t][:, None]
        loss = (model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t) - eps).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update_parameters(model)
        run = loss.item() if run is None else 0.98 * run + 0.02 * loss.item()
        if step % 200 == 0:
            with torch.no_grad():
                a = abar[tq][:, None]
                v = (ema(a.sqrt() * test + (1 - a).sqrt() * nq, tq) - nq).pow(2).mean().item()
            print(f"step {step} train {run:.4f} test {v:.4f}")
    print(f"energy distance samples/test {energy(draw(ema, 600), test):.4f}, train/test {energy(train[:600], test):.4f}")
