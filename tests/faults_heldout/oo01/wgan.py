"""WGAN with gradient penalty on the sensor landing points (points.npy)."""
import argparse

import numpy as np
import torch
from torch import nn


def mlp(sizes, act):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(act())
    return nn.Sequential(*layers)


class Generator(nn.Module):
    def __init__(self, zdim, hidden):
        super().__init__()
        self.zdim = zdim
        self.net = mlp([zdim, hidden, hidden, hidden, 2], nn.ReLU)

    def forward(self, n):
        return self.net(torch.randn(n, self.zdim))


class Critic(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = mlp([2, hidden, hidden, hidden, 1], lambda: nn.LeakyReLU(0.2))

    def forward(self, x):
        return self.net(x).squeeze(1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.shape[0], 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    (g,) = torch.autograd.grad(score.sum(), mix, create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=800)
    ap.add_argument("--n-critic", type=int, default=4)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--gp", type=float, default=1.0)
    ap.add_argument("--hidden", type=int, default=96)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    pts = torch.from_numpy(np.load("points.npy"))
    pts = (pts - pts[:3200].mean(0)) / pts[:3200].std(0)
    train, held = pts[:3200], pts[3200:]

    gen, critic = Generator(4, args.hidden), Critic(args.hidden)
    opt_g = torch.optim.Adam(gen.parameters(), lr=args.lr, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=args.lr, betas=(0.0, 0.9))
    decay = lambda it: min(1.0, 2.0 * (1 - it / args.iters))
    sched_g = torch.optim.lr_scheduler.LambdaLR(opt_g, decay)
    sched_c = torch.optim.lr_scheduler.LambdaLR(opt_c, decay)

    for it in range(args.iters):
        for p in critic.parameters():
            p.requires_grad_(True)
        for _ in range(args.n_critic):
            real = train[torch.randint(0, len(train), (args.batch,))]
            with torch.no_grad():
                fake = gen(args.batch)
            wd = critic(real).mean() - critic(fake).mean()
            loss_c = -wd + args.gp * gradient_penalty(critic, real, fake)
            opt_c.zero_grad()
            loss_c.backward()
            opt_c.step()

        # the critic only passes gradients through for the generator move
        for p in critic.parameters():
            p.requires_grad_(False)
        loss_g = -critic(gen(args.batch)).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        sched_g.step()
        sched_c.step()

        if it % 100 == 0 or it == args.iters - 1:
            with torch.no_grad():
                ed = energy_distance(gen(800), held)
            print(f"it {it:5d}  critic {loss_c.item():+.4f}  gen {loss_g.item():+.4f}  W {wd.item():.4f}  energy dist {ed:.4f}")

    with torch.no_grad():
        sample = gen(800)
        print(f"final energy distance to held-out points: {energy_distance(sample, held):.4f} "
              f"(held vs train {energy_distance(train[:800], held):.4f})")


if __name__ == "__main__":
    main()
