"""Mesh-free solver for the 1-D heat equation u_t = k u_xx on a rod with both ends held at zero."""
import json
import math
import sys

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


class Field(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.last = nn.Linear(width, 1)
        for layer in [*self.hidden, self.last]:
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x, t):
        z = torch.stack([2 * x - 1, 2 * t - 1], -1)
        for layer in self.hidden:
            z = torch.tanh(layer(z))
        return self.last(z).squeeze(-1)


class HeatProblem:
    def __init__(self, spec):
        self.k = spec["diffusivity"]
        self.modes = spec["initial_modes"]
        g = torch.Generator().manual_seed(spec["seed"])
        n = spec["points"]
        self.xi, self.ti = torch.rand(n["interior"], generator=g), torch.rand(n["interior"], generator=g)
        self.x0 = torch.linspace(0, 1, n["initial"])
        self.tb = torch.linspace(0, 1, n["boundary"])
        self.u0 = self.exact(self.x0, torch.zeros_like(self.x0))

    def exact(self, x, t):
        return sum(a * torch.sin(m * math.pi * x) * torch.exp(-self.k * (m * math.pi) ** 2 * t) for m, a in self.modes)

    def terms(self, net):
        p = dict(net.named_parameters())
        u = lambda x, t: functional_call(net, p, (x, t))
        u_t = vmap(grad(u, argnums=1))(self.xi, self.ti)
        u_xx = vmap(grad(grad(u)))(self.xi, self.ti)
        zero = torch.zeros_like(self.tb)
        return {
            "pde": (u_t - self.k * u_xx).pow(2).mean(),
            "initial": (net(self.x0, torch.zeros_like(self.x0)) - self.u0).pow(2).mean(),
            "boundary": (net(zero, self.tb).pow(2) + net(zero + 1, self.tb).pow(2)).mean(),
        }

    @torch.no_grad()
    def relative_error(self, net):
        x, t = torch.meshgrid(torch.linspace(0, 1, 51), torch.linspace(0, 1, 51), indexing="ij")
        ref = self.exact(x, t)
        return ((net(x, t) - ref).norm() / ref.norm()).item()


def main(path):
    spec = json.load(open(path))
    torch.manual_seed(spec["seed"])
    problem = HeatProblem(spec)
    net = Field(**spec["field"])
    opt = torch.optim.Adam(net.parameters(), lr=spec["adam"]["lr"])
    steps = spec["adam"]["steps"]
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    weight = spec["weights"]
    for it in range(steps + 1):
        terms = problem.terms(net)
        loss = sum(weight[name] * term for name, term in terms.items())
        if it % spec["log_every"] == 0:
            shown = "  ".join(f"{name} {term.item():.2e}" for name, term in terms.items())
            print(f"{it:5d}  total {loss.item():.3e}  {shown}  rel.err {problem.relative_error(net):.3f}")
        if it == steps:
            break
        opt.zero_grad()
        loss.backward()
        opt.step()
        decay.step()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "heat.json")
