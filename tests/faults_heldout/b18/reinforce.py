"""REINFORCE with a learned baseline on a hand-written cart-pole (vectorised over 16 environments)."""
import math

import torch
import torch.nn as nn


class CartPoles:
    def __init__(self, n, gen, max_steps=120):
        self.n, self.gen, self.max_steps = n, gen, max_steps

    def reset(self):
        self.s = (torch.rand(self.n, 4, generator=self.gen) - 0.5) * 0.1
        return self.s

    def step(self, a):
        x, xd, th, thd = self.s.unbind(1)
        f = torch.where(a == 1, 10.0, -10.0)
        c, s = th.cos(), th.sin()
        tmp = (f + 0.05 * thd ** 2 * s) / 1.1
        tha = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        xa = tmp - 0.05 * tha * c / 1.1
        dt = 0.02
        self.s = torch.stack([x + dt * xd, xd + dt * xa, th + dt * thd, thd + dt * tha], 1)
        fell = (self.s[:, 0].abs() > 2.4) | (self.s[:, 2].abs() > 12 * math.pi / 180)
        return self.s, fell


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.v = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
        self.register_buffer("scale", torch.tensor([1.0, 1.0, 0.2, 1.0]))

    def forward(self, s):
        z = s / self.scale
        return torch.distributions.Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


@torch.no_grad()
def rollout(env, net):
    s, alive = env.reset(), torch.ones(env.n, dtype=torch.bool)
    obs, act, mask = [], [], []
    for _ in range(env.max_steps):
        a = net(s)[0].sample()
        obs.append(s); act.append(a); mask.append(alive.float())
        s, fell = env.step(a)
        alive = alive & ~fell
        if not alive.any():
            break
    return torch.stack(obs), torch.stack(act), torch.stack(mask)


def returns(mask, gamma=0.98):
    # reward 1 for each step taken while alive
    out, acc = torch.zeros_like(mask), torch.zeros(mask.size(1))
    for t in reversed(range(len(mask))):
        acc = mask[t] + gamma * acc
        out[t] = acc
    return out * mask


def main(updates=80):
    torch.manual_seed(1)
    env = CartPoles(16, torch.Generator().manual_seed(1))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    smooth = None
    for it in range(1, updates + 1):
        obs, act, mask = rollout(env, net)
        ret = returns(mask) / 25.0
        n = mask.sum()
        dist, v = net(obs)
        adv = (ret - v).detach()
        mu = (adv * mask).sum() / n
        sd = (((adv - mu) ** 2 * mask).sum() / n).sqrt()
        adv = (adv - mu) / (sd + 1e-6)
        pg = -(dist.log_prob(act) * adv * mask).sum() / n
        vf = ((v - ret) ** 2 * mask).sum() / n
        ent = (dist.entropy() * mask).sum() / n
        loss = pg + 0.5 * vf - 0.01 * ent
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        length = mask.sum(0).mean().item()
        smooth = length if smooth is None else 0.9 * smooth + 0.1 * length
        if it % 10 == 0:
            print(f"update {it:3d}  episode length {length:6.1f} (avg {smooth:6.1f})  loss {loss.item():+.3f}  entropy {ent.item():.3f}", flush=True)


if __name__ == "__main__":
    main()
