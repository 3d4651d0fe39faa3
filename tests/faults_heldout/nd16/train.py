"""Energy-based model of backbone torsion angles, trained by persistent contrastive divergence (Metropolis chains)."""
import argparse
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

TAU = 2 * math.pi


class Energy(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, ang):
        feats = torch.cat([ang.sin(), ang.cos(), (2 * ang).sin(), (2 * ang).cos()], dim=1)
        return self.net(feats).squeeze(1)


def wrap(x):
    return torch.remainder(x + math.pi, TAU) - math.pi


@torch.no_grad()
def metropolis(energy, x, steps, width, jump):
    """Symmetric proposals: local moves, and with probability `jump` a uniform draw on the torus."""
    e = energy(x)
    for _ in range(steps):
        local = wrap(x + width * torch.randn_like(x))
        far = (torch.rand_like(x) - 0.5) * TAU
        prop = torch.where(torch.rand(len(x), 1) < jump, far, local)
        e_prop = energy(prop)
        take = torch.rand(len(x)).log() < e - e_prop
        x = torch.where(take[:, None], prop, x)
        e = torch.where(take, e_prop, e)
    return x


@torch.no_grad()
def exact_nll(energy, data, cells=128):
    """The torus is two-dimensional, so the partition function can be summed on a grid."""
    line = (torch.arange(cells) + 0.5) / cells * TAU - math.pi
    grid = torch.cartesian_prod(line, line)
    log_z = torch.logsumexp(-energy(grid), 0) + 2 * math.log(TAU / cells)
    return (energy(data).mean() + log_z).item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=1200)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--mcmc-steps", type=int, default=12)
    p.add_argument("--width", type=float, default=0.25)
    p.add_argument("--jump", type=float, default=0.3)
    p.add_argument("--chains", type=int, default=512)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--reg", type=float, default=0.002)
    p.add_argument("--hidden", type=int, default=48)
    a = p.parse_args()
    torch.manual_seed(33)
    ang = torch.from_numpy(np.load(Path(__file__).parent / "torsions.npy"))
    ang = ang[torch.randperm(len(ang))]
    val, train = ang[:2000], ang[2000:]
    energy = Energy(a.hidden)
    chains = (torch.rand(a.chains, 2) - 0.5) * TAU
    opt = torch.optim.Adam(energy.parameters(), lr=a.lr, betas=(0.5, 0.999))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.steps, eta_min=2e-5)
    window = []
    for step in range(1, a.steps + 1):
        pos = train[torch.randint(len(train), (a.batch,))]
        chains = metropolis(energy, chains, a.mcmc_steps, a.width, a.jump)
        neg = chains[torch.randint(len(chains), (a.batch,))]
        e_pos, e_neg = energy(pos), energy(neg)
        gap = e_pos.mean() - e_neg.mean()
        loss = gap + a.reg * (e_pos.pow(2) + e_neg.pow(2)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        window.append(gap.item())
        if step % 100 == 0:
            print(f"step {step:5d}  energy gap {np.mean(window[-100:]):+.4f}  train nll {exact_nll(energy, train[:2000]):.4f}  "
                  f"val nll {exact_nll(energy, val):.4f}", flush=True)
    print(f"uniform density nll {2 * math.log(TAU):.4f}")
    fresh = metropolis(energy, (torch.rand(4096, 2) - 0.5) * TAU, 300, a.width, a.jump)
    centre = val.sin().mean(0), val.cos().mean(0)
    print("circular moments data ", [round(v, 3) for c in centre for v in c.tolist()])
    print("circular moments model", [round(v, 3) for c in (fresh.sin().mean(0), fresh.cos().mean(0)) for v in c.tolist()])


if __name__ == "__main__":
    main()
