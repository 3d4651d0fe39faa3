"""Small GAN on a ring of six Gaussians."""
import math

import torch
from torch import nn
import torch.nn.functional as F

MODES, STD, Z = 6, 0.08, 8
CENTRES = torch.tensor([[math.cos(2 * math.pi * k / MODES), math.sin(2 * math.pi * k / MODES)] for k in range(MODES)])


def real_batch(n):
    return CENTRES[torch.randint(0, MODES, (n,))] + STD * torch.randn(n, 2)


def mlp(n_in, n_out, width=96):
    return nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, n_out))


@torch.no_grad()
def quality(gen):
    gen.eval()
    d, k = torch.cdist(gen(torch.randn(2000, Z)), CENTRES).min(1)
    close = d < 4 * STD
    covered = sum(((k == m) & close).float().mean().item() > 0.03 for m in range(MODES))
    gen.train()
    return close.float().mean().item(), covered


def main():
    torch.manual_seed(0)
    gen, disc = mlp(Z, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.99))
    for step in range(1, 3001):
        real = real_batch(128)
        fake = gen(torch.randn(128, Z))
        # gradient penalty on the data (R1) keeps the discriminator smooth
        real.requires_grad_(True)
        score = disc(real)
        grad, = torch.autograd.grad(score.sum(), real, create_graph=True)
        loss_d = F.softplus(-score).mean() + F.softplus(disc(fake.detach())).mean() + 0.05 * grad.pow(2).sum(1).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

        loss_g = F.softplus(-disc(fake)).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        if step % 500 == 0:
            close, covered = quality(gen)
            print(f"{step:5d} D {loss_d.item():.3f} G {loss_g.item():.3f} on-mode {close:.3f} modes {covered}/{MODES}")


if __name__ == "__main__":
    main()
