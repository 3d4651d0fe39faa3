"""REINFORCE with a learned baseline on cart-pole, one episode per update."""
import argparse
import collections
import random

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


class CartPole:
    """Classic cart-pole dynamics, Euler integration."""

    def __init__(self, rng, limit=200):
        self.rng, self.limit = rng, limit

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, a):
        x, v, th, w = self.s
        f = 10.0 if a == 1 else -10.0
        c, s = np.cos(th), np.sin(th)
        tmp = (f + 0.05 * w * w * s) / 1.1
        thacc = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c * c / 1.1))
        xacc = tmp - 0.05 * thacc * c / 1.1
        self.s = np.array([x + 0.02 * v, v + 0.02 * xacc, th + 0.02 * w, w + 0.02 * thacc])
        self.t += 1
        fell = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.2095
        return self.s.astype(np.float32), 1.0, fell or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, s):
        h = self.body(s)
        return self.pi(h), self.v(h).squeeze(-1)


def rollout(env, policy):
    obs, acts, rews = [], [], []
    s, done = env.reset(), False
    with torch.no_grad():
        while not done:
            logits, _ = policy(torch.from_numpy(s))
            a = Categorical(logits=logits).sample().item()
            obs.append(s)
            acts.append(a)
            s, r, done = env.step(a)
            rews.append(r)
    return torch.from_numpy(np.stack(obs)), torch.tensor(acts), rews


@torch.no_grad()
def evaluate(env, policy, n=10):
    total = 0.0
    for _ in range(n):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(policy(torch.from_numpy(s))[0].argmax().item())
            total += r
    return total / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=450)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--gamma", type=float, default=0.99)
    ap.add_argument("--entropy", type=float, default=0.01)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    env = CartPole(np.random.default_rng(args.seed))
    test_env = CartPole(np.random.default_rng(args.seed + 1000))

    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, args.episodes)
    recent = collections.deque(maxlen=50)
    for ep in range(args.episodes):
        obs, acts, rews = rollout(env, policy)
        g, rets = 0.0, []
        for r in reversed(rews):
            g = r + args.gamma * g
            rets.append(g)
        rets = torch.tensor(rets[::-1]) / 20.0
        logits, v = policy(obs)
        dist = Categorical(logits=logits)
        adv = rets - v.detach()
        loss = -(dist.log_prob(acts) * adv).mean() + 0.5 * (rets - v).pow(2).mean() - args.entropy * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()
        sched.step()
        recent.append(len(rews))
        if (ep + 1) % 50 == 0:
            print(f"episode {ep + 1} loss {loss.item():+.3f} return (last 50) {np.mean(recent):.1f} +- {np.std(recent):.1f} "
                  f"greedy test {evaluate(test_env, policy):.1f}")


if __name__ == "__main__":
    main()
