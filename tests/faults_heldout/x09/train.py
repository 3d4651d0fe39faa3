"""Wasserstein GAN with gradient penalty on a ring of Gaussians."""
import numpy as np
import torch
from torch import autograd, nn

LATENT, BATCH, N_CRITIC, LAMBDA, ITERS = 4, 128, 3, 0.2, 900


def ring(n, gen):
    k = torch.randint(0, 8, (n,), generator=gen)
    angle = k.float() * (2 * np.pi / 8)
    centre = torch.stack([angle.cos(), angle.sin()], 1)
    return centre * 1.4 + 0.12 * torch.randn(n, 2, generator=gen)


def net(n_in, n_out, width=96):
    return nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, n_out))


def penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grad, = autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def sliced_w1(a, b, gen, n_proj=64):
    d = torch.randn(2, n_proj, generator=gen)
    d = d / d.norm(dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


def main():
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(4)
    held_out = ring(2000, torch.Generator().manual_seed(99))
    floor = sliced_w1(ring(2000, torch.Generator().manual_seed(98)), held_out, torch.Generator().manual_seed(0))
    print(f"sliced W1 between two real samples: {floor:.3f}")
    G, D = net(LATENT, 2), net(2, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.9))

    decay = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=ITERS) for o in (opt_g, opt_d)]

    for it in range(1, ITERS + 1):
        for _ in range(N_CRITIC):
            real = ring(BATCH, gen)
            with torch.no_grad():
                fake = G(torch.randn(BATCH, LATENT))
            gap = D(fake).mean() - D(real).mean()
            loss_d = gap + LAMBDA * penalty(D, real, fake)
            opt_d.zero_grad()
            loss_d.backward()
            opt_d.step()

        loss_g = -D(G(torch.randn(BATCH, LATENT))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        for sched in decay:
            sched.step()

        if it % 100 == 0:
            with torch.no_grad():
                sample = G(torch.randn(2000, LATENT))
            dist = sliced_w1(sample, held_out, torch.Generator().manual_seed(0))
            angle = torch.arange(8) * np.pi / 4
            gap_to, near = torch.cdist(sample, 1.4 * torch.stack([angle.cos(), angle.sin()], 1)).min(1)
            inside = gap_to < 0.36
            modes = (torch.bincount(near[inside], minlength=8) > 40).sum().item()
            print(f"{it:4d}  critic gap {-gap.item():.3f}  loss_g {loss_g.item():.3f}  sliced W1 {dist:.3f}  near a mode {inside.float().mean().item():.2f}  modes {modes}")


if __name__ == "__main__":
    main()
