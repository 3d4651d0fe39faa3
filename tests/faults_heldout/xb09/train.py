"""Inverse kinematics of a two-link arm with a mixture density network.

A target position has two elbow solutions, hence a mixture output; a validation
round draws joint angles from the mixture and measures where the hand ends up.
"""
import argparse
import math

import torch
from torch import nn

L1, L2 = 1.0, 0.8


def forward_kinematics(q):
    a, b = q[..., 0], q[..., 0] + q[..., 1]
    return torch.stack([L1 * a.cos() + L2 * b.cos(), L1 * a.sin() + L2 * b.sin()], -1)


def draw(n, gen):
    q1 = torch.rand(n, generator=gen) * 1.6 - 0.2
    q2 = (torch.rand(n, generator=gen) * 1.7 + 0.4) * torch.where(torch.rand(n, generator=gen) < 0.5, 1.0, -1.0)
    q = torch.stack([q1, q2], -1)
    return forward_kinematics(q) + 0.005 * torch.randn(n, 2, generator=gen), q


class MDN(nn.Module):
    def __init__(self, components, width=96):
        super().__init__()
        self.k = components
        self.body = nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.head = nn.Linear(width, components * 5)

    def forward(self, xy):
        out = self.head(self.body(xy)).view(-1, self.k, 5)
        log_w = out[..., 0].log_softmax(-1)
        mu = out[..., 1:3]
        log_s = out[..., 3:5].clamp(-5.0, 2.0)
        return log_w, mu, log_s


def nll(params, q):
    log_w, mu, log_s = params
    z = (q[:, None] - mu) * torch.exp(-log_s)
    comp = -0.5 * z.square().sum(-1) - log_s.sum(-1) - math.log(2 * math.pi)
    return -torch.logsumexp(log_w + comp, dim=1).mean()


@torch.no_grad()
def sample(model, xy, n):
    log_w, mu, log_s = model(xy)
    pick = torch.multinomial(log_w.exp(), n, replacement=True)
    pick = pick[..., None].expand(-1, -1, 2)
    return mu.gather(1, pick) + log_s.exp().gather(1, pick) * torch.randn(pick.shape)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--components", type=int, default=6)
    p.add_argument("--steps", type=int, default=3000)
    p.add_argument("--lr", type=float, default=3e-3)
    a = p.parse_args()
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(31)
    xy, q = draw(8000, gen)
    val_xy, val_q = draw(1000, gen)
    model = MDN(a.components)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.steps, eta_min=a.lr * 0.02)
    for step in range(1, a.steps + 1):
        idx = torch.randint(0, len(xy), (256,), generator=gen)
        loss = nll(model(xy[idx]), q[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        decay.step()
        if step % 300 == 0:
            with torch.no_grad():
                v = nll(model(val_xy), val_q).item()
            reach = (forward_kinematics(sample(model, val_xy, 20)) - val_xy[:, None]).norm(dim=-1)
            print(f"{step:5d} nll {loss.item():+.3f} val {v:+.3f} hand error median {reach.median():.3f} m, p90 {reach.flatten().quantile(0.9):.3f} m")


if __name__ == "__main__":
    main()
