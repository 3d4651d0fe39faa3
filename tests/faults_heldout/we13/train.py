"""PPO for pendulum swing-up with discrete torques."""
import argparse
import time
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from envs import VectorPendulum


def ortho(layer, gain):
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, h=64):
        super().__init__()
        g = 2**0.5
        self.actor = nn.Sequential(
            ortho(nn.Linear(n_obs, h), g), nn.Tanh(), ortho(nn.Linear(h, h), g), nn.Tanh(), ortho(nn.Linear(h, n_act), 0.01)
        )
        self.critic = nn.Sequential(
            ortho(nn.Linear(n_obs, h), g), nn.Tanh(), ortho(nn.Linear(h, h), g), nn.Tanh(), ortho(nn.Linear(h, 1), 1.0)
        )

    def forward(self, obs):
        return Categorical(logits=self.actor(obs)), self.critic(obs).squeeze(-1)


def collect(env, net, obs, args, finished):
    buf = {k: [] for k in ("obs", "act", "logp", "rew", "val", "next_val", "done")}
    for _ in range(args.horizon):
        o = torch.from_numpy(obs)
        with torch.no_grad():
            dist, value = net(o)
            act = dist.sample()
        obs, rew, timeout, last, returns = env.step(act.numpy())
        finished.extend(returns.tolist())
        with torch.no_grad():
            nv = net.critic(torch.from_numpy(last)).squeeze(-1)
        for k, v in zip(
            buf,
            (o, act, dist.log_prob(act), torch.from_numpy(rew) * args.reward_scale, value, nv, torch.from_numpy(timeout).float()),
        ):
            buf[k].append(v)
    return {k: torch.stack(v) for k, v in buf.items()}, obs


def gae(buf, gamma, lam):
    delta = buf["rew"] + gamma * buf["next_val"] - buf["val"]
    adv = torch.zeros_like(delta)
    run = torch.zeros(delta.size(1))
    for t in reversed(range(len(delta))):
        run = delta[t] + gamma * lam * (1 - buf["done"][t]) * run
        adv[t] = run
    return adv, adv + buf["val"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=390)
    p.add_argument("--envs", type=int, default=8)
    p.add_argument("--horizon", type=int, default=256)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--minibatch", type=int, default=128)
    p.add_argument("--lr", type=float, default=2.5e-4)
    p.add_argument("--gamma", type=float, default=0.93)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--clip", type=float, default=0.2)
    p.add_argument("--entropy", type=float, default=0.002)
    p.add_argument("--reward-scale", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    env = VectorPendulum(args.envs, seed=args.seed)
    net = ActorCritic(3, 3)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, args.updates)
    obs, finished, t0 = env.observe(), deque(maxlen=40), time.time()

    for update in range(1, args.updates + 1):
        buf, obs = collect(env, net, obs, args, finished)
        adv, ret = gae(buf, args.gamma, args.lam)
        flat = {k: buf[k].flatten(0, 1) for k in ("obs", "act", "logp")}
        adv, ret = adv.flatten(), ret.flatten()
        stats = []
        for _ in range(args.epochs):
            for idx in torch.randperm(len(adv)).split(args.minibatch):
                dist, value = net(flat["obs"][idx])
                a = adv[idx]
                a = (a - a.mean()) / (a.std() + 1e-8)
                ratio = (dist.log_prob(flat["act"][idx]) - flat["logp"][idx]).exp()
                pi = -torch.min(ratio * a, ratio.clamp(1 - args.clip, 1 + args.clip) * a).mean()
                vf = 0.5 * (value - ret[idx]).pow(2).mean()
                ent = dist.entropy().mean()
                loss = pi + 0.5 * vf - args.entropy * ent
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
                stats.append((pi.item(), vf.item(), ent.item()))
        sched.step()
        if update % 2 == 0:
            m = np.mean(stats, axis=0)
            ret = np.mean(finished) if finished else float("nan")
            print(
                f"update {update:4d} frames {update * args.envs * args.horizon:7d} return {ret:8.1f} "
                f"pi {m[0]:+.4f} vf {m[1]:.4f} entropy {m[2]:.3f} {time.time() - t0:.0f}s",
                flush=True,
            )


if __name__ == "__main__":
    main()
