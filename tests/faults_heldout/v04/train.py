"""DQN on a small windy grid world."""
import copy
import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SIZE, GOAL, PITS = 5, (4, 4), {(1, 3), (3, 1), (2, 2)}
MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


class Grid:
    def __init__(self, seed, slip=0.1, horizon=30):
        self.rng = np.random.default_rng(seed)
        self.slip, self.horizon = slip, horizon

    def reset(self):
        while True:
            self.pos = tuple(int(v) for v in self.rng.integers(0, SIZE, 2))
            if self.pos != GOAL and self.pos not in PITS:
                break
        self.t = 0
        return self.obs()

    def obs(self):
        x = np.zeros(SIZE * SIZE, dtype=np.float32)
        x[self.pos[0] * SIZE + self.pos[1]] = 1.0
        return x

    def step(self, action):
        if self.rng.random() < self.slip:
            action = int(self.rng.integers(4))
        dr, dc = MOVES[action]
        self.pos = (min(max(self.pos[0] + dr, 0), SIZE - 1), min(max(self.pos[1] + dc, 0), SIZE - 1))
        self.t += 1
        if self.pos == GOAL:
            return self.obs(), 1.0, True, True
        if self.pos in PITS:
            return self.obs(), -1.0, True, True
        return self.obs(), -0.02, False, self.t >= self.horizon


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.q = nn.Linear(64, 4)

    def forward(self, x):
        return self.q(self.body(x))


def td_loss(online, target, batch, gamma):
    s, a, r, s2, terminal = (torch.as_tensor(np.array(v)) for v in zip(*batch))
    q = online(s).gather(1, a.long().unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = online(s2).argmax(1, keepdim=True)
        nxt = target(s2).gather(1, best).squeeze(1)
        goal = r.float() + gamma * nxt * (1.0 - terminal.float())
    return F.smooth_l1_loss(q, goal)


@torch.no_grad()
def greedy_return(online, episodes=200):
    env, total = Grid(seed=999), 0.0
    for _ in range(episodes):
        s, done = env.reset(), False
        while not done:
            a = online(torch.from_numpy(s).unsqueeze(0)).argmax(1).item()
            s, r, _, done = env.step(a)
            total += r
    return total / episodes


def main():
    random.seed(1)
    torch.manual_seed(1)
    env = Grid(seed=1)
    online = QNet()
    target = copy.deepcopy(online).requires_grad_(False)
    opt = torch.optim.Adam(online.parameters(), lr=5e-4)
    memory = deque(maxlen=5000)
    s = env.reset()
    for step in range(4000):
        eps = max(0.05, 1.0 - step / 2000)
        if random.random() < eps:
            a = random.randrange(4)
        else:
            with torch.no_grad():
                a = online(torch.from_numpy(s).unsqueeze(0)).argmax(1).item()
        s2, r, terminal, done = env.step(a)
        memory.append((s, a, r, s2, terminal))
        s = env.reset() if done else s2
        if len(memory) >= 200 and step % 2 == 0:
            loss = td_loss(online, target, random.sample(memory, 64), gamma=0.97)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(online.parameters(), 10.0)
            opt.step()
        if step % 200 == 0:
            target.load_state_dict(online.state_dict())
        if step % 500 == 499:
            print(f"step {step + 1} eps {eps:.2f} td {loss.item():.4f} greedy return {greedy_return(online):.3f}")


if __name__ == "__main__":
    main()
