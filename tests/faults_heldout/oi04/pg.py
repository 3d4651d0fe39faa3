import argparse

import torch
from torch import nn
from torch.distributions import Categorical

from gridworld import CourierGrid


class Policy(nn.Module):
    def __init__(self, n_obs, n_act, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.pi = nn.Linear(width, n_act)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def collect(env, policy):
    obs = env.reset()
    logps, values, rewards, masks, ents = [], [], [], [], []
    for _ in range(env.horizon):
        dist, value = policy(obs)
        act = dist.sample()
        obs, r, live = env.step(act)
        logps.append(dist.log_prob(act))
        values.append(value)
        rewards.append(r)
        masks.append(live.float())
        ents.append(dist.entropy())
    return [torch.stack(s) for s in (logps, values, rewards, masks, ents)]


def returns_to_go(rewards, gamma):
    out, acc = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        acc = rewards[t] + gamma * acc
        out[t] = acc
    return out


def main(cfg):
    torch.manual_seed(cfg.seed)
    env = CourierGrid(cfg.envs)
    policy = Policy(env.n_obs, 4)
    opt = torch.optim.Adam(policy.parameters(), lr=cfg.lr)
    for it in range(1, cfg.iters + 1):
        logp, value, rew, mask, ent = collect(env, policy)
        ret = returns_to_go(rew, cfg.gamma)
        adv = (ret - value).detach()
        n = mask.sum()
        mu = (adv * mask).sum() / n
        sd = (((adv - mu) ** 2 * mask).sum() / n).sqrt()
        adv = (adv - mu) / (sd + 1e-6)
        pg = (logp * adv * mask).sum() / n
        vf = ((ret - value) ** 2 * mask).sum() / n
        bonus = (ent * mask).sum() / n
        loss = pg + 0.5 * vf - cfg.ent * bonus
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0 or it == 1:
            print(f"iter {it:4d} return {rew.sum(0).mean():+.3f} vf {vf.item():.4f} entropy {bonus.item():.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=80)
    p.add_argument("--envs", type=int, default=96)
    p.add_argument("--gamma", type=float, default=0.97)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--ent", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=7)
    main(p.parse_args())
