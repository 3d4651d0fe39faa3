import argparse

import torch

from ringgan.data import Ring
from ringgan.losses import gradient_penalty
from ringgan.nets import Critic, Generator


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=700)
    p.add_argument("--n-critic", type=int, default=3)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--gp", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def main():
    a = parse()
    torch.manual_seed(a.seed)
    ring = Ring()
    G, D = Generator(), Critic()
    og = torch.optim.Adam(G.parameters(), lr=a.lr, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), lr=a.lr, betas=(0.0, 0.9))
    decay = lambda k: 1.0 - 0.9 * k / a.iters
    sg = torch.optim.lr_scheduler.LambdaLR(og, decay)
    sd = torch.optim.lr_scheduler.LambdaLR(od, decay)

    for it in range(a.iters):
        for _ in range(a.n_critic):
            real = ring.sample(a.batch)
            with torch.no_grad():
                fake = G(torch.randn(a.batch, G.latent))
            w = D(real).mean() - D(fake).mean()
            loss_d = -w + a.gp * gradient_penalty(D, real, fake)
            od.zero_grad(set_to_none=True)
            loss_d.backward()
            od.step()

        D.requires_grad_(False)
        loss_g = -D(G(torch.randn(a.batch, G.latent))).mean()
        og.zero_grad(set_to_none=True)
        loss_g.backward()
        og.step()
        D.requires_grad_(True)
        sg.step()
        sd.step()

        if it % 100 == 0 or it == a.iters - 1:
            with torch.no_grad():
                modes, good = ring.score(G(torch.randn(2000, G.latent)))
            print(f"[{it:4d}] W~{w.item():+.4f} loss_d {loss_d.item():+.4f} loss_g {loss_g.item():+.4f} "
                  f"modes {modes}/8 high-quality {good:.3f}")


if __name__ == "__main__":
    main()
