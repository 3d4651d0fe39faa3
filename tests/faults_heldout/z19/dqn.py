"""DQN with a target network on a windy grid with a far-off goal."""
import argparse
import collections
import copy
import random

import torch
from torch import nn

MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class WindyGrid:
    """Random start, goal in the far corner, pits in between; one move in twenty goes astray."""

    SIZE, GOAL = 6, (5, 5)
    PITS = {(2, 2), (3, 2), (2, 4), (4, 3)}

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        while True:
            self.pos = (self.rng.randrange(self.SIZE), self.rng.randrange(self.SIZE))
            if self.pos != self.GOAL and self.pos not in self.PITS:
                break
        self.t = 0
        return self.observe()

    def observe(self):
        x = torch.zeros(2 * self.SIZE)
        x[self.pos[0]] = 1.0
        x[self.SIZE + self.pos[1]] = 1.0
        return x

    def step(self, a):
        if self.rng.random() < 0.05:
            a = self.rng.randrange(4)
        dx, dy = MOVES[a]
        self.pos = (min(max(self.pos[0] + dx, 0), self.SIZE - 1), min(max(self.pos[1] + dy, 0), self.SIZE - 1))
        self.t += 1
        if self.pos == self.GOAL:
            return self.observe(), 100.0, True, True
        if self.pos in self.PITS:
            return self.observe(), -50.0, True, True
        return self.observe(), -1.0, False, self.t >= 40


class Replay:
    def __init__(self, size, rng):
        self.data, self.rng = collections.deque(maxlen=size), rng

    def push(self, *tr):
        self.data.append(tr)

    def sample(self, n):
        s, a, r, s2, d = zip(*self.rng.sample(self.data, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(d).float()


def q_network(width=64):
    return nn.Sequential(nn.Linear(12, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))


class Agent:
    def __init__(self, args, rng):
        self.args, self.rng = args, rng
        self.online = q_network()
        self.target = copy.deepcopy(self.online)
        self.opt = torch.optim.SGD(self.online.parameters(), lr=args.lr, momentum=0.9)
        self.replay = Replay(5000, rng)
        self.updates = 0

    def act(self, obs, eps):
        if self.rng.random() < eps:
            return self.rng.randrange(4)
        with torch.no_grad():
            return int(self.online(obs).argmax())

    def learn(self):
        s, a, r, s2, done = self.replay.sample(self.args.batch_size)
        with torch.no_grad():
            best = self.target(s2).max(1).values
            y = r + self.args.gamma * (1 - done) * best
        q = self.online(s).gather(1, a[:, None]).squeeze(1)
        loss = (q - y).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.target.parameters(), self.args.max_norm)
        self.opt.step()
        self.updates += 1
        if self.updates % self.args.sync_every == 0:
            self.target.load_state_dict(self.online.state_dict())
        return loss.item()


def play(agent, env, episodes):
    total = 0.0
    for _ in range(episodes):
        obs, over = env.reset(), False
        while not over:
            obs, r, _, over = env.step(agent.act(obs, 0.0))
            total += r
    return total / episodes


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--env-steps", type=int, default=8000)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--lr", type=float, default=0.002)
    ap.add_argument("--max-norm", type=float, default=10.0)
    ap.add_argument("--sync-every", type=int, default=100)
    ap.add_argument("--seed", type=int, default=9)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    env, agent = WindyGrid(rng), Agent(args, rng)

    obs, losses = env.reset(), []
    for step in range(1, args.env_steps + 1):
        eps = max(0.1, 1.0 - step / (0.5 * args.env_steps))
        a = agent.act(obs, eps)
        nxt, r, done, over = env.step(a)
        agent.replay.push(obs, a, r, nxt, done)
        obs = env.reset() if over else nxt
        if step > 500 and step % 2 == 0:
            losses.append(agent.learn())
        if step % 1000 == 0:
            tail = losses[-200:]
            print(f"step {step:6d}  eps {eps:.2f}  td loss {sum(tail) / max(len(tail), 1):10.3f}  greedy return {play(agent, WindyGrid(random.Random(1)), 50):8.2f}")


if __name__ == "__main__":
    main()
