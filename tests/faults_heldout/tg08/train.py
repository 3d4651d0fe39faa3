import argparse
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from gridworld import VecGrid


class ActorCritic(nn.Module):
    def __init__(self, n_in, n_act, h=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.pi = nn.Linear(h, n_act)
        self.v = nn.Linear(h, 1)

    def forward(self, o):
        z = self.trunk(o)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


def greedy_return(net, size, seed, episodes=400):
    env = VecGrid(episodes, size, seed=seed)
    total, alive = np.zeros(episodes), np.ones(episodes, bool)
    with torch.no_grad():
        for _ in range(env.limit):
            dist, _ = net(torch.from_numpy(env.observe()))
            _, r, arrived, timeout, _ = env.step(dist.probs.argmax(-1).numpy())
            total += r * alive
            alive &= ~(arrived | timeout)
    return total.mean()


ap = argparse.ArgumentParser()
ap.add_argument("--updates", type=int, default=900)
ap.add_argument("--envs", type=int, default=32)
ap.add_argument("--horizon", type=int, default=8)
ap.add_argument("--gamma", type=float, default=0.97)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--entropy", type=float, default=0.01)
ap.add_argument("--seed", type=int, default=5)
a = ap.parse_args()

torch.manual_seed(a.seed)
env = VecGrid(a.envs, seed=a.seed)
net = ActorCritic(4 * env.size, 4)
opt = torch.optim.Adam(net.parameters(), lr=a.lr)
obs = torch.from_numpy(env.observe())
ep_ret, recent = np.zeros(a.envs), deque(maxlen=200)

for update in range(1, a.updates + 1):
    for g in opt.param_groups:
        g["lr"] = a.lr * (1 - 0.9 * update / a.updates)
    logp, ent, values, rewards, cut = [], [], [], [], []
    for _ in range(a.horizon):
        dist, v = net(obs)
        act = dist.sample()
        nxt, r, arrived, timeout, final = env.step(act.numpy())
        ep_ret += r
        for i in np.flatnonzero(arrived | timeout):
            recent.append(ep_ret[i])
            ep_ret[i] = 0.0
        r = torch.from_numpy(r)
        if timeout.any():
            with torch.no_grad():
                r = r + a.gamma * net(torch.from_numpy(final))[1] * torch.from_numpy(timeout).float()
        logp.append(dist.log_prob(act))
        ent.append(dist.entropy())
        values.append(v)
        rewards.append(r)
        cut.append(torch.from_numpy(~(arrived | timeout)).float())
        obs = torch.from_numpy(nxt)
    with torch.no_grad():
        ret = net(obs)[1]
    targets = []
    for r, keep in zip(reversed(rewards), reversed(cut)):
        ret = r + a.gamma * ret * keep
        targets.insert(0, ret)
    targets, values = torch.stack(targets), torch.stack(values)
    adv = (targets - values).detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    policy_loss = -(torch.stack(logp) * adv).mean()
    value_loss = (values - targets).pow(2).mean()
    loss = policy_loss + 0.5 * value_loss - a.entropy * torch.stack(ent).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    if update % 100 == 0:
        print(f"update {update:5d}  loss {loss.item():+.3f}  value {value_loss.item():.4f}  "
              f"entropy {torch.stack(ent).mean().item():.3f}  return {np.mean(recent):.3f}")

print(f"greedy policy, 400 new episodes: {greedy_return(net, env.size, a.seed + 1000):.4f}")
