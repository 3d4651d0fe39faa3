"""REINFORCE on a contextual bandit built from the wine data: choose the cultivar, get a noisy pay-off."""
import argparse
from collections import deque

import torch
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.distributions import Categorical

p = argparse.ArgumentParser()
p.add_argument("--updates", type=int, default=600)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=2e-3)
p.add_argument("--entropy", type=float, default=0.01)
p.add_argument("--seed", type=int, default=23)
args = p.parse_args()
torch.manual_seed(args.seed)

wine = load_wine()
X = torch.tensor(StandardScaler().fit_transform(wine.data), dtype=torch.float32)
Y = torch.tensor(wine.target)


class Env:
    def reset(self, n):
        self.idx = torch.randint(len(X), (n,))
        return X[self.idx]

    def step(self, action):
        return (action == Y[self.idx]).float() + 0.3 * torch.randn(len(action))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(13, 32), nn.Tanh())
        self.pi = nn.Linear(32, 3)
        self.v = nn.Linear(32, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


env, policy = Env(), Policy()
opt = torch.optim.Adam(policy.parameters(), lr=args.lr)
recent = deque(maxlen=50)

for update in range(1, args.updates + 1):
    state = env.reset(args.batch)
    dist, value = policy(state)
    action = dist.sample()
    reward = env.step(action)
    advantage = reward - value.detach()

    policy_loss = (dist.log_prob(action) * advantage).mean()
    value_loss = nn.functional.mse_loss(value, reward)
    loss = policy_loss + 0.5 * value_loss - args.entropy * dist.entropy().mean()

    opt.zero_grad()
    loss.backward()
    opt.step()

    recent.append(reward.mean().item())
    if update % 100 == 0:
        with torch.no_grad():
            greedy = policy(X)[0].probs.argmax(1)
        print(f"update {update:4d}  return {sum(recent) / len(recent):+.3f}  entropy {dist.entropy().mean():.3f}  "
              f"greedy {(greedy == Y).float().mean():.3f}")
