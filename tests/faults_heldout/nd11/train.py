"""RealNVP density model of eight flight-recorder channels; log-likelihood in nats."""
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent
torch.manual_seed(14)


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)
        self.gain = nn.Parameter(torch.ones(dim))

    def params(self, kept):
        s, t = self.net(kept).chunk(2, dim=1)
        free = 1 - self.mask
        return self.gain * torch.tanh(s) * free, t * free

    def forward(self, x):
        kept = x * self.mask
        s, t = self.params(kept)
        return kept + (1 - self.mask) * (x * s.exp() + t), s.sum(1)

    def inverse(self, z):
        kept = z * self.mask
        s, t = self.params(kept)
        return kept + (1 - self.mask) * ((z - t) * (-s).exp())


class Flow(nn.Module):
    def __init__(self, dim, layers=8, hidden=48):
        super().__init__()
        blocks = []
        for i in range(layers):
            if i % 2 == 0:
                mask = torch.zeros(dim)
                mask[torch.randperm(dim)[: dim // 2]] = 1
            else:
                mask = 1 - mask
            blocks.append(Coupling(dim, hidden, mask))
        self.blocks = nn.ModuleList(blocks)
        self.dim = dim

    def forward(self, x):
        logdet = x.new_zeros(len(x))
        for b in self.blocks:
            x, ld = b(x)
            logdet = logdet + ld
        return x, logdet

    def log_prob(self, x):
        z, logdet = self(x)
        return -0.5 * z.pow(2).sum(1) - 0.5 * self.dim * math.log(2 * math.pi) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, self.dim)
        for b in reversed(self.blocks):
            z = b.inverse(z)
        return z


def gaussian_nll(fit, ev):
    c = torch.distributions.MultivariateNormal(fit.mean(0), torch.cov(fit.T))
    return -c.log_prob(ev).mean().item()


raw = torch.from_numpy(np.load(HERE / "channels.npy").astype(np.float32))
raw = raw[torch.randperm(len(raw))]
train, val, test = raw[:7000], raw[7000:8000], raw[8000:]
mu, sd = train.mean(0), train.std(0)
jac = sd.log().sum().item()          # back to the density of the recorded units
train, val, test = (train - mu) / sd, (val - mu) / sd, (test - mu) / sd

flow = Flow(train.size(1))
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
epochs, batch = 30, 200
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * (len(train) // batch))
best, state = math.inf, None
for epoch in range(epochs):
    flow.train()
    total, clipped = 0.0, 0
    for idx in torch.randperm(len(train)).split(batch):
        loss = -flow.log_prob(train[idx]).mean()
        opt.zero_grad()
        loss.backward()
        clipped += int(nn.utils.clip_grad_norm_(flow.parameters(), 15.0) > 15.0)
        opt.step()
        sched.step()
        total += loss.item() * len(idx)
    flow.eval()
    with torch.no_grad():
        v = -flow.log_prob(val).mean().item()
    if v < best:
        best, state = v, {k: t.clone() for k, t in flow.state_dict().items()}
    print(f"epoch {epoch:2d}  train nll {total / len(train) + jac:8.4f}  val nll {v + jac:8.4f}  clipped {clipped}")

flow.load_state_dict(state)
with torch.no_grad():
    z, _ = flow(test)
    back = z
    for b in reversed(flow.blocks):
        back = b.inverse(back)
    nll = -flow.log_prob(test).mean().item()
    s = flow.sample(4000)
print(f"test nll {nll + jac:.4f}  full-covariance gaussian {gaussian_nll(train, test) + jac:.4f}")
print(f"inversion error {(back - test).abs().max():.1e}  latent mean {z.mean():.3f} std {z.std():.3f}  "
      f"sample std {[round(v, 2) for v in s.std(0).tolist()]}")
