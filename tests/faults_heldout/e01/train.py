"""WGAN-GP on a ring of eight gaussians; sliced Wasserstein distance against held-out points."""
import argparse
import math

import torch
from torch import nn


def sample_ring(n, gen):
    k = torch.randint(0, 8, (n,), generator=gen)
    ang = k.float() * (2 * math.pi / 8)
    centre = torch.stack([ang.cos(), ang.sin()], 1) * 2.0
    return centre + 0.2 * torch.randn(n, 2, generator=gen)


def mlp(i, o, h=128):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def gradient_penalty(critic, real, fake):
    t = torch.rand(real.size(0), 1)
    x = (t * real + (1 - t) * fake).requires_grad_(True)
    g, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


@torch.no_grad()
def sliced_w(a, b, dirs):
    return ((a @ dirs).sort(0).values - (b @ dirs).sort(0).values).abs().mean().item()


@torch.no_grad()
def covered_modes(x):
    ang = torch.arange(8).float() * (2 * math.pi / 8)
    c = torch.stack([ang.cos(), ang.sin()], 1) * 2.0
    d, k = torch.cdist(x, c).min(1)
    close = d < 0.6
    counts = torch.bincount(k[close], minlength=8)
    return int((counts > 0.02 * len(x)).sum()), close.float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=700)
    p.add_argument("--n-critic", type=int, default=4)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--latent", type=int, default=4)
    p.add_argument("--gp", type=float, default=0.1)
    p.add_argument("--lr", type=float, default=1e-3)
    args = p.parse_args()

    torch.manual_seed(11)
    train_pts = sample_ring(8192, torch.Generator().manual_seed(1))
    held_out = sample_ring(2048, torch.Generator().manual_seed(2))
    reference = sample_ring(2048, torch.Generator().manual_seed(3))
    dirs = nn.functional.normalize(torch.randn(2, 64), dim=0)
    print(f"distance between two real samples: {sliced_w(held_out, reference, dirs):.4f}")

    gen, critic = mlp(args.latent, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(gen.parameters(), lr=args.lr, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=args.lr, betas=(0.5, 0.9))
    decay = lambda it: 1.0 if it < args.iters // 2 else 2.0 * (1 - it / args.iters) + 1e-3
    sch_g = torch.optim.lr_scheduler.LambdaLR(opt_g, decay)
    sch_c = torch.optim.lr_scheduler.LambdaLR(opt_c, decay)

    for it in range(args.iters):
        for _ in range(args.n_critic):
            real = train_pts[torch.randint(0, len(train_pts), (args.batch,))]
            with torch.no_grad():
                fake = gen(torch.randn(args.batch, args.latent))
            loss_c = critic(fake).mean() - critic(real).mean() + args.gp * gradient_penalty(critic, real, fake)
            opt_c.zero_grad(set_to_none=True)
            loss_c.backward()
            opt_c.step()
        critic.requires_grad_(False)
        loss_g = -critic(gen(torch.randn(args.batch, args.latent))).mean()
        opt_g.zero_grad(set_to_none=True)
        loss_g.backward()
        opt_g.step()
        critic.requires_grad_(True)
        sch_g.step()
        sch_c.step()
        if it % 100 == 0 or it == args.iters - 1:
            with torch.no_grad():
                x = gen(torch.randn(2048, args.latent))
            modes, close = covered_modes(x)
            print(f"it {it:4d} critic {loss_c.item():+.4f} gen {loss_g.item():+.4f} "
                  f"sliced-W {sliced_w(x, held_out, dirs):.4f} modes {modes}/8 on-mode {close:.2f}")


if __name__ == "__main__":
    main()
