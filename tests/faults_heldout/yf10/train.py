import argparse
from collections import deque

import numpy as np
import torch
import torch.nn as nn

from courier import CourierGrid


class Replay:
    def __init__(self, size, dim):
        self.s = np.zeros((size, dim), np.float32)
        self.n = np.zeros((size, dim), np.float32)
        self.a = np.zeros(size, np.int64)
        self.r = np.zeros(size, np.float32)
        self.d = np.zeros(size, np.float32)
        self.size, self.count = size, 0

    def add(self, s, a, r, n, d):
        k = self.count % self.size
        self.s[k], self.a[k], self.r[k], self.n[k], self.d[k] = s, a, r, n, d
        self.count += 1

    def sample(self, batch, rng):
        k = rng.integers(0, min(self.count, self.size), batch)
        return [torch.from_numpy(v[k]) for v in (self.s, self.a, self.r, self.n, self.d)]


class DuelingQ(nn.Module):
    def __init__(self, dim, actions=4, width=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value = nn.Linear(width, 1)
        self.adv = nn.Linear(width, actions)

    def forward(self, s):
        h = self.body(s)
        a = self.adv(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


class Agent:
    def __init__(self, dim, args):
        self.q, self.target = DuelingQ(dim), DuelingQ(dim)
        self.target.load_state_dict(self.q.state_dict())
        self.target.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=args.lr)
        self.gamma, self.tau = args.gamma, args.tau

    @torch.no_grad()
    def act(self, s):
        return int(self.q(torch.from_numpy(s)).argmax())

    def learn(self, s, a, r, n, d):
        with torch.no_grad():
            best = self.q(n).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - d) * self.target(n).gather(1, best).squeeze(1)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.q.parameters()):
                t.lerp_(p, self.tau)
        return loss.item()


def play(agent, seed, episodes=100):
    env, total, ok = CourierGrid(seed), 0.0, 0
    for _ in range(episodes):
        s, over = env.reset(), False
        while not over:
            s, r, term, cut, delivered = env.step(agent.act(s))
            total += r
            ok += delivered
            over = term or cut
    return total / episodes, ok / episodes


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=10000)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--gamma", type=float, default=0.95)
    p.add_argument("--tau", type=float, default=0.02)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--explore-until", type=int, default=5000)
    p.add_argument("--seed", type=int, default=4)
    args = p.parse_args()
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)

    env = CourierGrid(args.seed)
    s = env.reset()
    agent, memory = Agent(len(s), args), Replay(20000, len(s))
    losses, returns, ret = deque(maxlen=500), deque(maxlen=100), 0.0
    for step in range(1, args.steps + 1):
        eps = max(0.05, 1.0 - 0.95 * step / args.explore_until)
        a = int(rng.integers(4)) if rng.random() < eps else agent.act(s)
        n, r, term, cut, _ = env.step(a)
        memory.add(s, a, r, n, float(term))
        ret += r
        s = n
        if term or cut:
            returns.append(ret)
            s, ret = env.reset(), 0.0
        if step >= 500:
            losses.append(agent.learn(*memory.sample(args.batch, rng)))
        if step % 2000 == 0:
            print(f"step {step:6d} eps {eps:.2f} td {np.mean(losses):.4f} explore-return {np.mean(returns):+.3f}", flush=True)
    score, rate = play(agent, seed=1000)
    print(f"greedy: return {score:+.3f}, delivered {rate:.0%}")


if __name__ == "__main__":
    main()
