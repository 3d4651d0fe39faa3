"""DQN with a target network: dock a cart at the origin of a rail, three thrusts."""
import copy
import random

import numpy as np
import torch
from torch import nn


class Rail:
    """State (position, velocity); reward is minus the distance; 40 ticks per episode (a time limit, not a terminal state)."""

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.pos, self.vel, self.t = self.rng.uniform(-1, 1), self.rng.uniform(-0.05, 0.05), 0
        return self.state()

    def state(self):
        return np.array([self.pos, self.vel * 10.0], dtype=np.float32)

    def step(self, action):
        self.vel = 0.95 * self.vel + 0.02 * (action - 1)
        self.pos = float(np.clip(self.pos + self.vel, -1.5, 1.5))
        self.t += 1
        return self.state(), -abs(self.pos), self.t >= 40


class Replay:
    def __init__(self, size):
        self.s, self.s2 = torch.zeros(size, 2), torch.zeros(size, 2)
        self.a, self.r = torch.zeros(size, dtype=torch.long), torch.zeros(size)
        self.size, self.n = size, 0

    def push(self, s, a, r, s2):
        k = self.n % self.size
        self.s[k], self.a[k], self.r[k], self.s2[k] = torch.from_numpy(s), a, r, torch.from_numpy(s2)
        self.n += 1

    def sample(self, batch):
        k = torch.randint(0, min(self.n, self.size), (batch,))
        return self.s[k], self.a[k], self.r[k], self.s2[k]


def q_net():
    return nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))


@torch.no_grad()
def greedy_return(q, episodes=20):
    env, total = Rail(np.random.default_rng(1000)), 0.0
    for _ in range(episodes):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(int(q(torch.from_numpy(s)).argmax()))
            total += r
    return total / episodes


def main():
    torch.manual_seed(15)
    random.seed(15)
    env = Rail(np.random.default_rng(15))
    q = q_net()
    target = copy.deepcopy(q).requires_grad_(False)
    opt = torch.optim.Adam(q.parameters(), lr=1e-3)
    memory, gamma, step = Replay(5000), 0.95, 0
    print(f"before training: greedy return {greedy_return(q):.2f}")
    for episode in range(1, 121):
        s, done, losses = env.reset(), False, []
        eps = max(0.05, 1.0 - episode / 60)
        while not done:
            if random.random() < eps:
                a = random.randrange(3)
            else:
                with torch.no_grad():
                    a = int(q(torch.from_numpy(s)).argmax())
            s2, r, done = env.step(a)
            memory.push(s, a, r, s2)
            s = s2
            step += 1
            if memory.n >= 400 and step % 2 == 0:
                bs, ba, br, bs2 = memory.sample(64)
                with torch.no_grad():
                    goal = br + gamma * target(bs2).gather(1, q(bs2).argmax(1, keepdim=True)).squeeze(1)
                value = q(bs).gather(1, ba[:, None]).squeeze(1)
                loss = nn.functional.smooth_l1_loss(value, goal)
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(q.parameters(), 10.0)
                opt.step()
                losses.append(loss.item())
            if step % 100 == 0:
                target.load_state_dict(q.state_dict())
        if episode % 20 == 0:
            print(f"episode {episode:3d}  eps {eps:.2f}  td {np.mean(losses):.4f}  greedy return {greedy_return(q):.2f}")


if __name__ == "__main__":
    main()
