# toy DDPM on a spiral, sampling from the averaged network
import copy, math, pathlib
import numpy as np
import torch
from torch import nn

torch.manual_seed(42)
DATA = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("spiral.npy")))
TRAIN, TEST = DATA[:5000], DATA[5000:]

T = 50
BATCH = 256
TOTAL_KIMG = 320
EMA_HALFLIFE_KIMG = 500
LR = 2e-3

s = 0.008
f = torch.cos((torch.arange(T + 1) / T + s) / (1 + s) * math.pi / 2) ** 2
betas = (1 - f[1:] / f[:-1]).clamp(max=0.98)
alphas = 1 - betas
abar = alphas.cumprod(0)


class EpsNet(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        self.register_buffer("freq", 2.0 ** torch.arange(6) * math.pi)
        self.inp = nn.Linear(2 + 12, h)
        self.mid = nn.ModuleList(nn.Sequential(nn.Linear(h + 12, h), nn.SiLU(), nn.Linear(h, h)) for _ in range(2))
        self.out = nn.Linear(h, 2)

    def forward(self, x, t):
        a = (t.float() / T)[:, None] * self.freq
        e = torch.cat([a.sin(), a.cos()], 1)
        h = self.inp(torch.cat([x, e], 1))
        for blk in self.mid:
            h = h + blk(torch.cat([nn.functional.silu(h), e], 1))
        return self.out(nn.functional.silu(h))


@torch.no_grad()
def sample(net, n):
    x = torch.randn(n, 2)
    for t in reversed(range(T)):
        eps = net(x, torch.full((n,), t))
        x = (x - betas[t] / (1 - abar[t]).sqrt() * eps) / alphas[t].sqrt()
        if t:
            x = x + betas[t].sqrt() * torch.randn_like(x)
    return x


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


net = EpsNet()
ema = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=LR)
steps = TOTAL_KIMG * 1000 // BATCH
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=1e-4)
ema_beta = 0.5 ** (BATCH / (EMA_HALFLIFE_KIMG * 1000))

avg = 0.0
for step in range(1, steps + 1):
    x0 = TRAIN[torch.randint(len(TRAIN), (BATCH,))]
    t = torch.randint(T, (BATCH,))
    eps = torch.randn_like(x0)
    xt = abar[t].sqrt()[:, None] * x0 + (1 - abar[t]).sqrt()[:, None] * eps
    loss = (net(xt, t) - eps).pow(2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    for p_ema, p in zip(ema.parameters(), net.parameters()):
        p_ema.copy_(p.detach().lerp(p_ema, ema_beta))
    avg += loss.item()
    if step % 250 == 0:
        ed = energy_distance(sample(ema, 800), TEST)
        print(f"kimg {step * BATCH / 1000:6.1f}  loss {avg / 250:.4f}  energy distance {ed:.4f}")
        avg = 0.0
