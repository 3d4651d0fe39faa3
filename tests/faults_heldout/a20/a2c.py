"""Synchronous advantage actor-critic with GAE on a vectorised cart-pole."""
import argparse
import math
import os
from collections import deque

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

HERE = os.path.dirname(os.path.abspath(__file__))


class VecCartPole:
    """Cart-pole dynamics for n environments at once, reset on fall or after `limit` steps."""

    def __init__(self, n, seed, limit=200):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4))

    def obs(self):
        return torch.from_numpy(self.s.astype(np.float32))

    def step(self, action):
        x, xd, th, thd = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        cos, sin = np.cos(th), np.sin(th)
        temp = (force + 0.05 * thd ** 2 * sin) / 1.1
        thacc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos ** 2 / 1.1))
        xacc = temp - 0.05 * thacc * cos / 1.1
        dt = 0.02
        self.s = np.stack([x + dt * xd, xd + dt * xacc, th + dt * thd, thd + dt * thacc], axis=1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        timeout = (self.t >= self.limit) & ~fell
        done = fell | timeout
        final = self.s.copy()
        lengths = self.t[done].tolist()
        if done.any():
            self.s[done] = self._fresh(int(done.sum()))
            self.t[done] = 0
        return fell, timeout, final.astype(np.float32), lengths


class ActorCritic(nn.Module):
    def __init__(self, n_obs=4, n_act=2, width=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        nn.init.orthogonal_(self.pi[-1].weight, 0.01)
        nn.init.zeros_(self.pi[-1].bias)

    def forward(self, obs):
        return Categorical(logits=self.pi(obs)), self.v(obs).squeeze(-1)


def rollout(env, net, horizon, gamma, lam):
    """Collect `horizon` steps from every environment; returns tensors with leading time axis."""
    obs, act, rew, val, nxt, stop, ends = [], [], [], [], [], [], []
    with torch.no_grad():
        for _ in range(horizon):
            o = env.obs()
            dist, v = net(o)
            a = dist.sample()
            fell, timeout, final, lengths = env.step(a.numpy())
            v_next = net.v(torch.from_numpy(final)).squeeze(-1)
            v_next = v_next * torch.from_numpy(~fell).float()
            obs.append(o), act.append(a), val.append(v), nxt.append(v_next)
            rew.append(torch.full((env.n,), 0.1))
            stop.append(torch.from_numpy(fell | timeout).float())
            ends += lengths
    adv, acc = [None] * horizon, torch.zeros(env.n)
    for t in reversed(range(horizon)):
        delta = rew[t] + gamma * nxt[t] - val[t]
        acc = delta + gamma * lam * (1 - stop[t]) * acc
        adv[t] = acc
    adv, val = torch.stack(adv), torch.stack(val)
    return torch.stack(obs), torch.stack(act), adv, adv + val, ends


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--envs", type=int, default=16)
    ap.add_argument("--horizon", type=int, default=16)
    ap.add_argument("--updates", type=int, default=600)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--adam-eps", type=float, default=1e-5)
    ap.add_argument("--gamma", type=float, default=0.98)
    ap.add_argument("--lam", type=float, default=0.95)
    ap.add_argument("--entropy", type=float, default=0.003)
    ap.add_argument("--value-coef", type=float, default=0.5)
    ap.add_argument("--max-norm", type=float, default=0.5)
    ap.add_argument("--seed", type=int, default=4)
    ap.add_argument("--save", default=os.path.join(HERE, "policy.pt"))
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    env = VecCartPole(args.envs, args.seed)
    net = ActorCritic()
    optim = torch.optim.Adam(net.parameters(), lr=args.lr, eps=args.adam_eps)
    decay = torch.optim.lr_scheduler.LinearLR(optim, 1.0, 0.1, total_iters=args.updates)
    recent = deque(maxlen=50)
    best = 0.0
    for u in range(1, args.updates + 1):
        obs, act, adv, ret, ends = rollout(env, net, args.horizon, args.gamma, args.lam)
        recent.extend(ends)
        obs, act, adv, ret = obs.flatten(0, 1), act.flatten(), adv.flatten(), ret.flatten()
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        dist, v = net(obs)
        pg = -(dist.log_prob(act) * adv).mean()
        vf = 0.5 * (ret - v).pow(2).mean()
        ent = dist.entropy().mean()
        loss = pg + args.value_coef * vf - args.entropy * ent
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)
        optim.step()
        decay.step()
        if u % 50 == 0:
            mean_len = float(np.mean(recent)) if recent else float("nan")
            print(f"update {u:4d} episode length {mean_len:6.1f} entropy {ent.item():.3f} value loss {vf.item():.4f}")
            if mean_len > best:
                best = mean_len
                torch.save(net.state_dict(), args.save)
    print(f"final mean episode length {float(np.mean(recent)):.1f} (limit {env.limit})")


if __name__ == "__main__":
    main()
