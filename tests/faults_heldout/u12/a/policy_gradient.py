"""REINFORCE with a learned baseline on a windy grid: reach the goal, avoid the pits."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

SIZE, HORIZON = 5, 30
GOAL, PITS = (4, 4), {(1, 3), (3, 0)}
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class WindyGrid:
    """A set of grids stepped together; a finished grid stays finished until the horizon."""

    def __init__(self, n, rng):
        self.n, self.rng = n, rng

    def reset(self):
        self.pos = np.zeros((self.n, 2), dtype=int)
        self.done = np.zeros(self.n, dtype=bool)
        return self.observe()

    def observe(self):
        flat = self.pos[:, 0] * SIZE + self.pos[:, 1]
        return torch.nn.functional.one_hot(torch.from_numpy(flat), SIZE * SIZE).float()

    def step(self, actions):
        actions = np.where(self.rng.random(self.n) < 0.05, self.rng.integers(0, 4, self.n), actions)
        reward = np.zeros(self.n, dtype=np.float32)
        for k in range(self.n):
            if self.done[k]:
                continue
            dr, dc = MOVES[actions[k]]
            r, c = np.clip(self.pos[k] + (dr, dc), 0, SIZE - 1)
            self.pos[k] = r, c
            reward[k] = -0.02
            if (r, c) == GOAL:
                reward[k], self.done[k] = 1.0, True
            elif (r, c) in PITS:
                reward[k], self.done[k] = -0.5, True
        return self.observe(), reward, self.done.copy()


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE * SIZE, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 4)
        self.v = nn.Linear(hidden, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(env, net):
    s, done = env.reset(), np.zeros(env.n, dtype=bool)
    logp, value, reward, alive, entropy = [], [], [], [], []
    for _ in range(HORIZON):
        dist, v = net(s)
        a = dist.sample()
        alive.append(torch.from_numpy(~done).float())
        logp.append(dist.log_prob(a))
        entropy.append(dist.entropy())
        value.append(v)
        s, r, done = env.step(a.numpy())
        reward.append(torch.from_numpy(r))
        if done.all():
            break
    return tuple(torch.stack(z) for z in (logp, value, reward, alive, entropy))


def discounted(reward, gamma):
    out, acc = torch.zeros_like(reward), torch.zeros(reward.shape[1])
    for t in reversed(range(len(reward))):
        acc = reward[t] + gamma * acc
        out[t] = acc
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--envs", type=int, default=32)
    ap.add_argument("--updates", type=int, default=200)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    env = WindyGrid(a.envs, np.random.default_rng(a.seed))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    recent = []
    for update in range(a.updates):
        logp, value, reward, alive, ent = rollout(env, net)
        ret = discounted(reward, a.gamma)
        adv = (ret - value).detach()
        n = alive.sum()
        live = adv[alive.bool()]
        adv = (adv - live.mean()) / (live.std() + 1e-6)
        pg = -(logp * adv * alive).sum() / n
        vf = ((value - ret).pow(2) * alive).sum() / n
        loss = pg + 0.5 * vf - 0.01 * (ent * alive).sum() / n
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(reward.sum(0).mean().item())
        if (update + 1) % 25 == 0:
            print(f"update {update + 1:4d}  return {np.mean(recent[-25:]):+.3f}  "
                  f"entropy {(ent * alive).sum().item() / n.item():.3f}")


if __name__ == "__main__":
    main()
