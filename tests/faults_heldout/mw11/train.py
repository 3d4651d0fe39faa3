"""Generates synthetic (waiting time, service time) pairs that follow the shape of a call centre's log."""
import argparse

import numpy as np
import torch
from torch import nn


def call_log(n, seed):
    g = np.random.default_rng(seed)
    angle = g.uniform(0, np.pi, n)
    upper = g.random(n) < 0.5
    wait = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    serve = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    xy = np.stack([wait, serve], 1) + g.normal(0, 0.08, (n, 2))
    return torch.tensor((xy - [0.5, 0.25]) / [0.87, 0.5], dtype=torch.float32)


def mlp(n_in, n_out, width):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, n_out)
    )


def energy_distance(a, b):
    ab = torch.cdist(a, b).mean()
    aa = torch.cdist(a, a).sum() / (len(a) * (len(a) - 1))
    bb = torch.cdist(b, b).sum() / (len(b) * (len(b) - 1))
    return (2 * ab - aa - bb).item()


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=1200)
    ap.add_argument("--critic-steps", type=int, default=3)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--latent", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--penalty", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    real = call_log(8000, args.seed)
    fresh = call_log(2000, args.seed + 77)
    gen, critic = mlp(args.latent, 2, 64), mlp(2, 1, 64)
    opt_g = torch.optim.Adam(gen.parameters(), lr=args.lr, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=args.lr, betas=(0.0, 0.9))
    decay = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, args.rounds) for o in (opt_g, opt_c)]

    for r in range(1, args.rounds + 1):
        for _ in range(args.critic_steps):
            batch = real[torch.randint(len(real), (args.batch,))]
            with torch.no_grad():
                fake = gen(torch.randn(args.batch, args.latent))
            gap = critic(batch).mean() - critic(fake).mean()
            loss_c = -gap + args.penalty * gradient_penalty(critic, batch, fake)
            opt_c.zero_grad()
            loss_c.backward()
            opt_c.step()
        loss_g = -critic(gen(torch.randn(args.batch, args.latent))).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        for d in decay:
            d.step()
        if r % 100 == 0:
            with torch.no_grad():
                made = gen(torch.randn(2000, args.latent))
            print(f"round {r:5d}  critic {loss_c.item():+.3f}  generator {loss_g.item():+.3f}  "
                  f"energy distance {energy_distance(made, fresh):.4f}")


if __name__ == "__main__":
    main()
