"""Double DQN on a small cart-pole simulator."""
import math
import random
from collections import deque

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


class CartPole:
    limit = 200

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, a):
        x, xd, th, thd = self.s
        force = 10.0 if a == 1 else -10.0
        c, s = math.cos(th), math.sin(th)
        tmp = (force + 0.05 * thd ** 2 * s) / 1.1
        tha = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c * c / 1.1))
        xa = tmp - 0.05 * tha * c / 1.1
        self.s = np.array([x + 0.02 * xd, xd + 0.02 * xa, th + 0.02 * thd, thd + 0.02 * tha])
        self.t += 1
        terminal = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 12 * math.pi / 180
        truncated = self.t >= self.limit
        return self.s.astype(np.float32), 1.0, terminal, truncated


class Agent:
    def __init__(self, gamma=0.99, lr=1e-3, sync=150):
        self.q = self.build()
        self.target = self.build()
        self.target.load_state_dict(self.q.state_dict())
        self.target.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma, self.sync, self.updates = gamma, sync, 0
        self.scale = torch.tensor([1.0, 1.0, 0.1, 1.0])

    @staticmethod
    def build():
        return nn.Sequential(nn.Linear(4, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 2))

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(2)
        with torch.no_grad():
            return int(self.q(torch.from_numpy(s) / self.scale).argmax())

    def learn(self, batch):
        s, a, r, s2, term = (np.array(v) for v in zip(*batch))
        s, s2 = torch.from_numpy(s) / self.scale, torch.from_numpy(s2) / self.scale
        a = torch.from_numpy(a).long().unsqueeze(1)
        r, term = torch.from_numpy(r).float(), torch.from_numpy(term).float()
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - term) * self.target(s2).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(self.q(s).gather(1, a).squeeze(1), y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()


def evaluate(agent, episodes=10):
    env, returns = CartPole(10_000), []
    for _ in range(episodes):
        s, done, total = env.reset(), False, 0.0
        while not done:
            s, r, term, trunc = env.step(agent.act(s, 0.0))
            total, done = total + r, term or trunc
        returns.append(total)
    return float(np.mean(returns))


def main(steps=7_000, warm=500, batch=64):
    random.seed(3), torch.manual_seed(3)
    env, agent, memory = CartPole(3), Agent(), deque(maxlen=20_000)
    decay = torch.optim.lr_scheduler.LinearLR(agent.opt, 1.0, 0.05, total_iters=(steps - warm) // 2)
    s, ep, history, loss = env.reset(), 0.0, [], float("nan")
    for t in range(steps):
        eps = max(0.03, 1.0 - t / 3000)
        a = agent.act(s, eps)
        s2, r, term, trunc = env.step(a)
        memory.append((s, a, r, s2, term))
        ep += r
        s = s2
        if term or trunc:
            history.append(ep)
            s, ep = env.reset(), 0.0
        if t >= warm and t % 2 == 0:
            loss = agent.learn(random.sample(memory, batch))
            decay.step()
        if (t + 1) % 1000 == 0:
            print(f"step {t + 1:6d}  eps {eps:.2f}  loss {loss:.4f}  recent return {np.mean(history[-10:]):6.1f}  "
                  f"greedy return {evaluate(agent):6.1f}")
    print("final greedy return over 30 episodes:", evaluate(agent, 30))


if __name__ == "__main__":
    main()
