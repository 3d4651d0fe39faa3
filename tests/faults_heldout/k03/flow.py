import copy
import logging
import math

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("flow")


def tool_path(n, gen):
    """Positions of a tool tip (in decimetres) along a helix with a little jitter."""
    t = torch.rand(n, generator=gen) * 2 * math.pi
    r = 1.0 + 0.08 * torch.randn(n, generator=gen)
    p = torch.stack([r * torch.cos(t), r * torch.sin(t), 0.3 * t - 0.94 + 0.05 * torch.randn(n, generator=gen)], 1)
    return p


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, -1)
        s = 1.5 * torch.tanh(s) * (1 - self.mask)
        z = x * self.mask + (1 - self.mask) * (x * s.exp() + t)
        return z, s.sum(-1)


class RealNVP(nn.Module):
    def __init__(self, dim=3, hidden=64, depth=9):
        super().__init__()
        layers = []
        for i in range(depth):
            m = torch.ones(dim)
            m[i % dim] = 0.0
            layers.append(Coupling(dim, hidden, m))
        self.layers = nn.ModuleList(layers)
        self.dim = dim

    def log_prob(self, x):
        ld = x.new_zeros(len(x))
        for layer in self.layers:
            x, d = layer(x)
            ld = ld + d
        return -0.5 * (x ** 2).sum(-1) - 0.5 * self.dim * math.log(2 * math.pi) + ld


class Averaged:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for a, b in zip(self.model.parameters(), model.parameters()):
            a.lerp_(b, 1 - self.decay)


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(21)
    train, val = tool_path(20000, g), tool_path(2000, g)
    flow = RealNVP()
    avg = Averaged(flow, decay=0.99)
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    steps, batch = 1800, 256
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    seen = 0.0
    for step in range(1, steps + 1):
        x = train[torch.randint(len(train), (batch,))]
        nll = -flow.log_prob(x).mean()
        opt.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 20.0)
        opt.step()
        sched.step()
        avg.update(flow)
        seen += nll.item()
        if step % 150 == 0:
            with torch.no_grad():
                v_raw = -flow.log_prob(val).mean().item()
                v_avg = -avg.model.log_prob(val).mean().item()
            log.info("step %4d  train nll %.3f  val nll %.3f  val nll (averaged) %.3f", step, seen / 150, v_raw, v_avg)
            seen = 0.0


if __name__ == "__main__":
    main()
