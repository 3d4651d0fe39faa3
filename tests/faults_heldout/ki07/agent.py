"""Advantage actor-critic on a small corridor world: reach the goal cell, avoid the pits."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])
PITS = torch.tensor([[1, 1], [3, 2], [2, 4]])
GOAL = torch.tensor([4, 4])


class Grid:
    """n worlds side by side, 5 x 5 cells, an episode ends at the goal, in a pit or after 30 moves."""

    def __init__(self, n):
        self.n = n
        self.pos = torch.zeros(n, 2, dtype=torch.long)
        self.age = torch.zeros(n)
        self.reset(torch.ones(n, dtype=torch.bool))

    def reset(self, which):
        k = int(which.sum())
        self.pos[which] = torch.stack([torch.randint(0, 3, (k,)), torch.zeros(k, dtype=torch.long)], 1)
        self.age[which] = 0

    def observe(self):
        return torch.cat([F.one_hot(self.pos[:, 0], 5), F.one_hot(self.pos[:, 1], 5)], 1).float()

    def step(self, a):
        self.pos = (self.pos + MOVES[a]).clamp(0, 4)
        self.age += 1
        won = (self.pos == GOAL).all(1)
        lost = (self.pos[:, None] == PITS[None]).all(2).any(1)
        late = self.age >= 30
        reward = won.float() - lost.float() - 0.02
        done = won | lost | late
        self.reset(done)
        return reward, done, won


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.pi, self.v = nn.Linear(48, 4), nn.Linear(48, 1)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


ap = argparse.ArgumentParser()
ap.add_argument("--updates", type=int, default=480)
ap.add_argument("--horizon", type=int, default=8)
ap.add_argument("--gamma", type=float, default=0.97)
ap.add_argument("--entropy", type=float, default=0.01)
args = ap.parse_args()
torch.manual_seed(12)
env, net = Grid(32), ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
wins = ends = 0
for update in range(1, args.updates + 1):
    logp, values, rewards, dones, ent = [], [], [], [], []
    for _ in range(args.horizon):
        dist, v = net(env.observe())
        a = dist.sample()
        r, d, w = env.step(a)
        logp.append(dist.log_prob(a)); values.append(v); rewards.append(r); dones.append(d.float()); ent.append(dist.entropy())
        wins += int(w.sum()); ends += int(d.sum())
    with torch.no_grad():
        ret = net(env.observe())[1]
    returns = []
    for r, d in zip(reversed(rewards), reversed(dones)):
        ret = r + args.gamma * ret * (1 - d)
        returns.insert(0, ret)
    returns, values = torch.stack(returns), torch.stack(values)
    adv = (returns - values).detach()
    loss = -(torch.stack(logp) * adv).mean() + 0.5 * F.mse_loss(values, returns) - args.entropy * torch.stack(ent).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    if update % 48 == 0:
        print(f"update {update} loss {loss.item():+.3f} episodes {ends} reached the goal {wins / max(ends, 1):.3f} mean value {values.mean().item():.3f}")
        wins = ends = 0
