import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SIZE = 6
WALLS = {(1, 1), (1, 2), (2, 4), (3, 1), (3, 3), (4, 3), (4, 5)}
GOAL = (5, 5)
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Grid:
    """Walk to the corner; a move slips sideways with probability 0.1."""

    def __init__(self, rng, limit=40):
        self.rng, self.limit = rng, limit
        self.free = [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) not in WALLS and (r, c) != GOAL]

    def reset(self, start=None):
        self.pos = start or self.rng.choice(self.free)
        self.t = 0
        return self.obs()

    def obs(self):
        v = np.zeros(2 * SIZE, dtype=np.float32)
        v[self.pos[0]] = 1.0
        v[SIZE + self.pos[1]] = 1.0
        return v

    def step(self, a):
        if self.rng.random() < 0.1:
            a = self.rng.choice([2, 3] if a < 2 else [0, 1])
        r, c = self.pos[0] + MOVES[a][0], self.pos[1] + MOVES[a][1]
        if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in WALLS:
            self.pos = (r, c)
        self.t += 1
        done = self.pos == GOAL
        return self.obs(), (1.0 if done else -0.02), done, self.t >= self.limit


class Agent:
    def __init__(self, gamma=0.95, lr=1e-3, sync_every=200):
        self.q = self._net()
        self.target = self._net()
        self.target.load_state_dict(self.q.state_dict())
        for p in self.target.parameters():
            p.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma, self.sync_every, self.updates = gamma, sync_every, 0

    @staticmethod
    def _net():
        return nn.Sequential(nn.Linear(2 * SIZE, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 4))

    @torch.no_grad()
    def act(self, s, eps, rng):
        if rng.random() < eps:
            return rng.randrange(4)
        return int(self.q(torch.from_numpy(s)).argmax())

    def learn(self, batch):
        s, a, r, s2, d = (torch.as_tensor(np.array(x)) for x in zip(*batch))
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r.float() + self.gamma * (1 - d.float()) * self.target(s2).gather(1, best).squeeze(1)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync_every == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()


def greedy_return(agent, seed=77):
    rng = random.Random(seed)
    env = Grid(rng)
    rets, solved = [], 0
    for start in env.free:
        s, tot = env.reset(start), 0.0
        while True:
            s, r, done, cut = env.step(agent.act(s, 0.0, rng))
            tot += r
            if done or cut:
                solved += done
                break
        rets.append(tot)
    return sum(rets) / len(rets), solved / len(rets)


def main():
    torch.manual_seed(1)
    rng = random.Random(1)
    env, agent, memory = Grid(rng), Agent(), deque(maxlen=8000)
    total, warmup = 7000, 400
    s, ep_ret, rets, losses = env.reset(), 0.0, deque(maxlen=50), deque(maxlen=200)
    for step in range(1, total + 1):
        eps = max(0.1, 1.0 - step / 3000)
        a = agent.act(s, eps, rng)
        s2, r, done, cut = env.step(a)
        memory.append((s, a, r, s2, done))
        s, ep_ret = s2, ep_ret + r
        if done or cut:
            rets.append(ep_ret)
            s, ep_ret = env.reset(), 0.0
        if step > warmup:
            losses.append(agent.learn(rng.sample(memory, 64)))
        if step % 1000 == 0:
            g, solved = greedy_return(agent)
            print(f"step {step} eps {eps:.2f} td {np.mean(losses):.5f} train return {np.mean(rets):.3f} greedy return {g:.3f} solved {solved:.2f}")


if __name__ == "__main__":
    main()
