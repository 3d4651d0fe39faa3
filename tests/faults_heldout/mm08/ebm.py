"""Energy-based model of a 2-D density, persistent contrastive divergence with Langevin sampling."""
import pathlib
from dataclasses import dataclass, field

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn


@dataclass
class Options:
    n: int = 3000
    iters: int = 1000
    batch: int = 256
    lr: float = 2e-3
    chains: int = 1024
    langevin_steps: int = 15
    step: float = 0.02
    restart: float = 0.05
    energy_reg: float = 0.02
    ema: float = 0.99
    hidden: list = field(default_factory=lambda: [64, 64])
    seed: int = 2


class Energy(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        dims = [2] + hidden
        layers = []
        for a, b in zip(dims[:-1], dims[1:]):
            layers += [nn.Linear(a, b), nn.SiLU()]
        self.net = nn.Sequential(*layers, nn.Linear(dims[-1], 1))

    def forward(self, x):
        # quadratic confinement keeps the density normalisable
        return self.net(x).squeeze(-1) + 0.125 * x.pow(2).sum(-1)


def langevin(model, x, steps, eps):
    x = x.clone()
    for _ in range(steps):
        x.requires_grad_(True)
        (g,) = torch.autograd.grad(model(x).sum(), x)
        x = (x - 0.5 * eps * g + eps ** 0.5 * torch.randn_like(x)).detach()
    return x


def grid_nll(model, data, lim=5.0, n=220):
    """Exact mean negative log-likelihood by numerical integration."""
    ax = torch.linspace(-lim, lim, n)
    pts = torch.cartesian_prod(ax, ax)
    with torch.no_grad():
        e = torch.cat([model(c) for c in pts.split(8192)])
        logz = torch.logsumexp(-e, 0) + 2 * np.log(2 * lim / (n - 1))
        return (model(data).mean() + logz).item()


def main():
    o = Options()
    torch.manual_seed(o.seed)
    x, _ = make_moons(o.n + 800, noise=0.08, random_state=o.seed)
    mu, sd = x[:o.n].mean(0), x[:o.n].std(0)
    x = torch.tensor((x - mu) / sd, dtype=torch.float32)
    train, test = x[:o.n], x[o.n:]
    gauss = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
    print(f"gaussian baseline test nll {-gauss.log_prob(test).mean():.4f}")

    model = Energy(o.hidden)
    avg = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(o.ema))
    opt = torch.optim.Adam(model.parameters(), o.lr, betas=(0.5, 0.999))
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [int(o.iters * 0.6), int(o.iters * 0.85)], 0.3)
    chains = torch.randn(o.chains, 2) * 1.2
    for it in range(1, o.iters + 1):
        pos = train[torch.randint(len(train), (o.batch,))]
        slot = torch.randperm(o.chains)[:o.batch]
        start = chains[slot]
        fresh = torch.rand(o.batch) < o.restart
        start[fresh] = torch.randn(int(fresh.sum()), 2) * 1.2
        neg = langevin(model, start, o.langevin_steps, o.step)
        chains[slot] = neg
        ep, en = model(pos), model(neg)
        loss = ep.mean() - en.mean() + o.energy_reg * (ep.pow(2).mean() + en.pow(2).mean())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        avg.update_parameters(model)
        if it % 100 == 0 or it == 1:
            print(f"it {it:5d} loss {loss.item():+.4f} E+ {ep.mean().item():+.3f} E- {en.mean().item():+.3f} "
                  f"test nll {grid_nll(model, test):.4f} averaged {grid_nll(avg, test):.4f}")
    torch.save(avg.module.state_dict(), pathlib.Path(__file__).with_name("energy.pt"))


if __name__ == "__main__":
    main()
