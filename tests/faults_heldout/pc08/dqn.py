"""Double DQN on a windy maze. The optimal value from value iteration is printed next to the learned one."""
import random
from collections import deque, namedtuple
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

MAZE = [
    "S..#....",
    ".#.#.##.",
    ".#...#..",
    ".####.#.",
    "......#.",
    ".##.#..G",
]
MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]
Transition = namedtuple("Transition", "s a r s2 end")


@dataclass
class Cfg:
    slip: float = 0.1
    gamma: float = 0.97
    steps: int = 9000
    warmup: int = 500
    buffer: int = 10000
    batch: int = 64
    lr: float = 1e-3
    target_every: int = 250
    train_every: int = 2
    eps_end: float = 0.05
    eps_steps: int = 5000
    max_len: int = 120
    seed: int = 3


class Maze:
    def __init__(self, slip, rng):
        self.h, self.w = len(MAZE), len(MAZE[0])
        self.slip, self.rng = slip, rng
        self.start, self.goal = (0, 0), next((r, row.index("G")) for r, row in enumerate(MAZE) if "G" in row)

    def move(self, pos, a):
        r, c = pos[0] + MOVES[a][0], pos[1] + MOVES[a][1]
        return (r, c) if 0 <= r < self.h and 0 <= c < self.w and MAZE[r][c] != "#" else pos

    def step(self, pos, a):
        if self.rng.random() < self.slip:
            a = self.rng.randrange(4)
        nxt = self.move(pos, a)
        return nxt, (1.0 if nxt == self.goal else -0.01), nxt == self.goal

    def cells(self):
        return [(r, c) for r in range(self.h) for c in range(self.w) if MAZE[r][c] != "#"]

    def features(self, pos):
        f = np.zeros(self.h * self.w, np.float32)
        f[pos[0] * self.w + pos[1]] = 1
        return f


def value_iteration(env, gamma):
    v = {s: 0.0 for s in env.cells()}
    for _ in range(400):
        for s in v:
            if s == env.goal:
                continue
            q = []
            for a in range(4):
                n = env.move(s, a)
                q.append((1.0 if n == env.goal else -0.01) + gamma * v[n] * (n != env.goal))
            v[s] = max((1 - env.slip) * x + env.slip * sum(q) / 4 for x in q)
    return v


def qnet(n):
    return nn.Sequential(nn.Linear(n, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 4))


def rollout(env, net, n=50, limit=120):
    wins, length = 0, 0
    for _ in range(n):
        pos, t, done = env.start, 0, False
        while not done and t < limit:
            with torch.no_grad():
                a = int(net(torch.from_numpy(env.features(pos))).argmax())
            pos, _, done = env.step(pos, a)
            t += 1
        wins += done
        length += t
    return wins / n, length / n


def main():
    cfg = Cfg()
    rng = random.Random(cfg.seed)
    torch.manual_seed(cfg.seed)
    env = Maze(cfg.slip, rng)
    online, target = qnet(env.h * env.w), qnet(env.h * env.w)
    target.load_state_dict(online.state_dict())
    target.requires_grad_(False)
    opt = torch.optim.Adam(online.parameters(), lr=cfg.lr)
    memory = deque(maxlen=cfg.buffer)
    starts = [c for c in env.cells() if c != env.goal]
    pos, t = env.start, 0
    losses = deque(maxlen=300)
    for step in range(1, cfg.steps + 1):
        eps = max(cfg.eps_end, 1 - (1 - cfg.eps_end) * step / cfg.eps_steps)
        s = env.features(pos)
        if rng.random() < eps:
            a = rng.randrange(4)
        else:
            with torch.no_grad():
                a = int(online(torch.from_numpy(s)).argmax())
        pos, r, end = env.step(pos, a)
        memory.append(Transition(s, a, r, env.features(pos), end))
        t += 1
        if end or t >= cfg.max_len:
            pos, t = (env.start if rng.random() < 0.5 else rng.choice(starts)), 0
        if step < cfg.warmup or step % cfg.train_every:
            continue
        batch = Transition(*zip(*rng.sample(memory, cfg.batch)))
        s, s2 = torch.from_numpy(np.stack(batch.s)), torch.from_numpy(np.stack(batch.s2))
        a = torch.tensor(batch.a)[:, None]
        r, end = torch.tensor(batch.r), torch.tensor(batch.end, dtype=torch.float32)
        with torch.no_grad():
            best = online(s2).argmax(1, keepdim=True)
            y = r + cfg.gamma * (1 - end) * target(s2).gather(1, best).squeeze(1)
        loss = nn.functional.smooth_l1_loss(online(s).gather(1, a).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if step % cfg.target_every == 0:
            target.load_state_dict(online.state_dict())
        if step % 1000 == 0:
            win, length = rollout(env, online, n=20)
            print(f"step {step:5d} eps {eps:.2f} td loss {np.mean(losses):.5f} greedy success {win:.2f} length {length:.1f}")
    v = value_iteration(env, cfg.gamma)
    with torch.no_grad():
        vhat = {c: online(torch.from_numpy(env.features(c))).max().item() for c in starts}
    err = np.mean([abs(vhat[c] - v[c]) for c in starts])
    win, length = rollout(env, online, n=100)
    print(f"value at start: learned {vhat[env.start]:.3f}, optimal {v[env.start]:.3f}; mean abs error over cells {err:.3f}")
    print(f"final greedy success {win:.2f}, mean length {length:.1f}")


if __name__ == "__main__":
    main()
