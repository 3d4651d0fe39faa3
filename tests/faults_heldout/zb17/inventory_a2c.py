"""Advantage actor-critic for a perishable-goods inventory: order 0-5 units each morning."""
import argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Shop:
    cap, price, cost, hold, lost = 12, 4.0, 2.0, 0.25, 0.5

    def __init__(self, n, rng, horizon=30):
        self.n, self.rng, self.horizon = n, rng, horizon
        self.reset()

    def reset(self):
        self.day = 0
        self.stock = self.rng.integers(0, 5, self.n).astype(float)
        self.season = self.rng.uniform(0, 7, self.n)
        return self.observe()

    def observe(self):
        phase = 2 * np.pi * (self.day + self.season) / 7
        o = np.stack([self.stock / self.cap, np.sin(phase), np.cos(phase), np.full(self.n, self.day / self.horizon)], 1)
        return torch.tensor(o, dtype=torch.float32)

    def step(self, order):
        stock = np.minimum(self.stock + order, self.cap)
        mean = 2.2 + 1.6 * np.sin(2 * np.pi * (self.day + self.season) / 7)
        demand = self.rng.poisson(mean)
        sold = np.minimum(stock, demand)
        reward = self.price * sold - self.cost * order - self.hold * (stock - sold) - self.lost * (demand - sold)
        self.stock = stock - sold
        self.day += 1
        return self.observe(), torch.tensor(reward, dtype=torch.float32), self.day >= self.horizon


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 6))
        self.v = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, obs):
        return torch.distributions.Categorical(logits=self.pi(obs)), self.v(obs).squeeze(-1)


def episode(net, shop):
    obs, done = shop.reset(), False
    logps, values, rewards, ents = [], [], [], []
    while not done:
        dist, v = net(obs)
        a = dist.sample()
        obs, r, done = shop.step(a.numpy())
        logps.append(dist.log_prob(a))
        values.append(v)
        rewards.append(r)
        ents.append(dist.entropy())
    return torch.stack(logps), torch.stack(values), torch.stack(rewards), torch.stack(ents)


def discounted(rewards, gamma):
    out, run = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        run = rewards[t] + gamma * run
        out[t] = run
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iterations", type=int, default=150)
    ap.add_argument("--shops", type=int, default=32)
    ap.add_argument("--gamma", type=float, default=0.9)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--entropy", type=float, default=0.01)
    args = ap.parse_args()

    torch.manual_seed(0)
    shop = Shop(args.shops, np.random.default_rng(0))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for it in range(args.iterations):
        logp, v, r, ent = episode(net, shop)
        ret = discounted(r, args.gamma)
        adv = ret - v.detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        actor = (adv * logp).mean()
        critic = F.smooth_l1_loss(v, ret)
        loss = actor + 0.5 * critic - args.entropy * ent.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if it % 15 == 0 or it == args.iterations - 1:
            print(f"iter {it:3d} profit/episode {r.sum(0).mean().item():8.2f} actor {actor.item():+.4f} "
                  f"critic {critic.item():.4f} entropy {ent.mean().item():.3f}")


if __name__ == "__main__":
    main()
