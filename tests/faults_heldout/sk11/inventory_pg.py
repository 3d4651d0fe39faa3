"""Policy gradient for a small shop: how many boxes to order each evening.

Demand is Poisson with a weekly profile; orders arrive next morning.
"""
import argparse

import torch
import torch.nn as nn
from torch.distributions import Categorical

WEEK = torch.tensor([1.0, 1.0, 1.5, 2.0, 3.5, 5.0, 2.0])
MAX_STOCK, MAX_ORDER, DAYS = 12, 7, 28


class Shop:
    def __init__(self, n, gen):
        self.n, self.gen = n, gen

    def reset(self):
        self.stock = torch.randint(0, 6, (self.n,), generator=self.gen).float()
        self.day = torch.randint(0, 7, (self.n,), generator=self.gen)
        return self.obs()

    def obs(self):
        return torch.cat([(self.stock / MAX_STOCK * 2 - 1)[:, None], nn.functional.one_hot(self.day, 7).float()], 1)

    def step(self, order):
        self.stock = (self.stock + order.float()).clamp(max=MAX_STOCK)
        want = torch.poisson(WEEK[self.day], generator=self.gen)
        sold = torch.minimum(want, self.stock)
        lost = want - sold
        self.stock = self.stock - sold
        self.day = (self.day + 1) % 7
        reward = 1.0 * sold - 0.5 * lost - 0.25 * self.stock - 0.1 * (order > 0).float()
        return self.obs(), reward


class ActorCritic(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(8, h), nn.Tanh(), nn.Linear(h, MAX_ORDER + 1))
        self.v = nn.Sequential(nn.Linear(8, h), nn.Tanh(), nn.Linear(h, 1))


@torch.no_grad()
def greedy_return(net, seed=1234):
    env = Shop(256, torch.Generator().manual_seed(seed))
    o, total = env.reset(), 0.0
    for _ in range(DAYS):
        o, r = env.step(net.pi(o).argmax(-1))
        total += r.mean().item()
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=350)
    ap.add_argument("--envs", type=int, default=16)
    ap.add_argument("--gamma", type=float, default=0.9)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--entropy", type=float, default=0.01)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    env = Shop(a.envs, torch.Generator().manual_seed(a.seed + 1))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, a.updates)
    print(f"update    0  greedy {greedy_return(net):8.2f}")
    smooth = None
    for u in range(1, a.updates + 1):
        obs, acts, rews = [], [], []
        o = env.reset()
        with torch.no_grad():
            for _ in range(DAYS):
                act = Categorical(logits=net.pi(o)).sample()
                obs.append(o)
                acts.append(act)
                o, r = env.step(act)
                rews.append(r)
            tail = net.v(o).squeeze(-1)
        rets = []
        for r in reversed(rews):
            tail = r + a.gamma * tail
            rets.insert(0, tail)
        obs, acts, rets = torch.stack(obs), torch.stack(acts), torch.stack(rets)
        value = net.v(obs).squeeze(-1)
        adv = rets - value.detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        dist = Categorical(logits=net.pi(obs))
        loss = -(adv * dist.log_prob(acts)).mean() + 0.05 * nn.functional.mse_loss(value, rets) - a.entropy * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        ep = torch.stack(rews).sum(0).mean().item()
        smooth = ep if smooth is None else 0.9 * smooth + 0.1 * ep
        if u % 35 == 0:
            print(f"update {u:4d}  loss {loss.item():+.3f}  return {ep:8.2f}  smoothed {smooth:8.2f}  greedy {greedy_return(net):8.2f}")


if __name__ == "__main__":
    main()
