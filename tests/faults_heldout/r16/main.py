"""REINFORCE with a learned baseline on a small vectorised 'catch' game."""
import argparse

import torch
from torch import nn
from torch.distributions import Categorical


class Catch:
    """A ball falls through a W-wide grid; move the paddle under it."""

    def __init__(self, n, W=7, H=8):
        self.n, self.W, self.H = n, W, H

    def reset(self):
        self.row = 0
        self.ball = torch.randint(self.W, (self.n,))
        self.pad = torch.randint(self.W, (self.n,))
        return self.obs()

    def obs(self):
        return torch.stack([self.ball / (self.W - 1) * 2 - 1, self.pad / (self.W - 1) * 2 - 1,
                            torch.full((self.n,), self.row / self.H * 2 - 1)], 1)

    def step(self, action):
        self.pad = (self.pad + action - 1).clamp(0, self.W - 1)
        drift = (torch.rand(self.n) < 0.1).long() * (torch.randint(0, 2, (self.n,)) * 2 - 1)
        self.ball = (self.ball + drift).clamp(0, self.W - 1)
        self.row += 1
        done = self.row == self.H
        r = torch.where(self.ball == self.pad, 1.0, -1.0) if done else torch.zeros(self.n)
        return self.obs(), r, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 3))
        self.v = nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 1))

    def forward(self, o):
        return Categorical(logits=self.pi(o)), self.v(o).squeeze(-1)


def rollout(env, net, greedy=False):
    o, done = env.reset(), False
    logps, vals, ents, rews = [], [], [], []
    while not done:
        dist, v = net(o)
        a = dist.probs.argmax(-1) if greedy else dist.sample()
        o, r, done = env.step(a)
        logps.append(dist.log_prob(a))
        vals.append(v)
        ents.append(dist.entropy())
        rews.append(r)
    return map(torch.stack, (logps, vals, ents, rews))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=600)
    ap.add_argument("--envs", type=int, default=48)
    ap.add_argument("--gamma", type=float, default=0.97)
    a = ap.parse_args()
    torch.manual_seed(6)
    env, net = Catch(a.envs), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=6e-3)
    for it in range(1, a.iters + 1):
        logp, v, ent, r = rollout(env, net)
        G, acc = torch.zeros_like(r), torch.zeros(a.envs)
        for t in reversed(range(len(r))):
            acc = r[t] + a.gamma * acc
            G[t] = acc
        adv = (G - v).detach()
        loss = -(logp * adv).mean() + 0.5 * (G - v).pow(2).mean() - 0.003 * ent.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            with torch.no_grad():
                *_, rr = rollout(Catch(500), net, greedy=True)
            print(f"iter {it} loss {loss.item():+.3f} batch return {r.sum(0).mean():+.2f} eval return {rr.sum(0).mean():+.3f}")


if __name__ == "__main__":
    main()
