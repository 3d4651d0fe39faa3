"""Continues a warm-started balancing policy with PPO."""
import argparse
from collections import deque

import torch
from torch.nn.utils import clip_grad_norm_

from agent import ActorCritic
from cartpole import CartPoleBatch


def collect(env, agent, horizon, recent):
    keep = {k: [] for k in ("obs", "act", "logp", "val", "rew", "over", "boot")}
    for _ in range(horizon):
        obs = env.state
        with torch.no_grad():
            dist, value = agent(obs)
            act = dist.sample()
            final, fell, over, lengths = env.step(act)
            boot = agent(final)[1] * (~fell)
        recent.extend(lengths)
        row = (obs, act, dist.log_prob(act), value, torch.full_like(value, 0.1), over, boot)
        for k, v in zip(keep, row):
            keep[k].append(v)
    return {k: torch.stack(v) for k, v in keep.items()}


def advantages(roll, gamma, lam):
    adv, out = torch.zeros_like(roll["val"][0]), []
    for t in reversed(range(len(roll["val"]))):
        delta = roll["rew"][t] + gamma * roll["boot"][t] - roll["val"][t]
        adv = delta + gamma * lam * adv * (~roll["over"][t])
        out.append(adv)
    return torch.stack(out[::-1])


def update(agent, opt, roll, adv, opts):
    flat = {k: v.flatten(0, 1) for k, v in roll.items()}
    target = (adv + roll["val"]).flatten()
    adv = adv.flatten()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    total, count = 0.0, 0
    for _ in range(opts.passes):
        for idx in torch.randperm(len(adv)).split(opts.minibatch):
            dist, value = agent(flat["obs"][idx])
            ratio = (dist.log_prob(flat["act"][idx]) - flat["logp"][idx]).exp()
            gain = torch.minimum(ratio * adv[idx], ratio.clamp(0.8, 1.2) * adv[idx]).mean()
            loss = 0.5 * (value - target[idx]).pow(2).mean() - gain - opts.entropy * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            clip_grad_norm_(agent.parameters(), 0.5)
            opt.step()
            total, count = total + loss.item(), count + 1
    return total / count


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--init", default="runs/warmstart.pt")
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--horizon", type=int, default=64)
    p.add_argument("--iterations", type=int, default=28)
    p.add_argument("--passes", type=int, default=4)
    p.add_argument("--minibatch", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--gamma", type=float, default=0.98)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--entropy", type=float, default=0.005)
    p.add_argument("--seed", type=int, default=5)
    opts = p.parse_args()

    torch.manual_seed(opts.seed)
    env = CartPoleBatch(opts.envs, seed=opts.seed)
    agent = ActorCritic()
    agent.load_state_dict(torch.load(opts.init, weights_only=True))
    opt = torch.optim.Adam(agent.parameters(), lr=opts.lr)
    anneal = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=opts.iterations)
    recent = deque(maxlen=40)
    for it in range(1, opts.iterations + 1):
        roll = collect(env, agent, opts.horizon, recent)
        loss = update(agent, opt, roll, advantages(roll, opts.gamma, opts.lam), opts)
        anneal.step()
        if it % 4 == 0:
            print(f"iter {it:3d}  loss {loss:+.4f}  mean episode length {sum(recent) / len(recent):.1f}")


if __name__ == "__main__":
    main()
