import argparse
from collections import deque

import numpy as np
import torch
from torch import nn

from cart.agent import Agent, gae
from cart.env import CartPoles

REWARD_SCALE = 0.05


def collect(env, agent, steps):
    rec = {k: [] for k in ("obs", "act", "logp", "val", "rew", "nval", "fail", "end")}
    lengths = []
    with torch.no_grad():
        for _ in range(steps):
            obs = torch.from_numpy(env.observe())
            d = agent.dist(obs)
            act = d.sample()
            nxt, rew, failed, cut, finished = env.step(act.numpy())
            lengths += finished
            row = (obs, act, d.log_prob(act), agent.v(obs), torch.from_numpy(rew) * REWARD_SCALE, agent.v(torch.from_numpy(nxt)),
                   torch.from_numpy(failed).float(), torch.from_numpy(failed | cut).float())
            for k, x in zip(rec, row):
                rec[k].append(x)
    return {k: torch.stack(v) for k, v in rec.items()}, lengths


@torch.no_grad()
def greedy_return(agent, limit, episodes=20, seed=999):
    env = CartPoles(episodes, limit, seed)
    alive = np.ones(episodes, bool)
    score = np.zeros(episodes)
    for _ in range(limit):
        act = agent.dist(torch.from_numpy(env.observe())).logits.argmax(-1).numpy()
        _, rew, failed, cut, _ = env.step(act)
        score += rew * alive
        alive &= ~(failed | cut)
    return score.mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=60)
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--horizon", type=int, default=96)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--minibatch", type=int, default=256)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--clip", type=float, default=0.2)
    p.add_argument("--entropy", type=float, default=0.003)
    p.add_argument("--max-grad-norm", type=float, default=0.5)
    p.add_argument("--limit", type=int, default=300)
    p.add_argument("--seed", type=int, default=5)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    env, agent = CartPoles(a.envs, a.limit, a.seed), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=a.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.iterations)
    recent = deque(maxlen=40)
    for it in range(1, a.iterations + 1):
        r, lengths = collect(env, agent, a.horizon)
        recent.extend(lengths)
        adv, ret = gae(r["rew"], r["val"], r["nval"], r["end"], r["fail"], 0.99, 0.95)
        flat = {k: r[k].flatten(0, 1) for k in ("obs", "act", "logp")}
        adv, ret = adv.flatten(), ret.flatten()
        stats = []
        for _ in range(a.epochs):
            for ix in torch.randperm(len(adv)).split(a.minibatch):
                d = agent.dist(flat["obs"][ix])
                ratio = (d.log_prob(flat["act"][ix]) - flat["logp"][ix]).exp()
                ad = (adv[ix] - adv[ix].mean()) / (adv[ix].std() + 1e-8)
                pi_loss = -torch.min(ratio * ad, ratio.clamp(1 - a.clip, 1 + a.clip) * ad).mean()
                v_loss = nn.functional.mse_loss(agent.v(flat["obs"][ix]), ret[ix])
                ent = d.entropy().mean()
                loss = pi_loss + 0.5 * v_loss - a.entropy * ent
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.policy.parameters(), a.max_grad_norm)
                nn.utils.clip_grad_norm_(agent.value.parameters(), 10 * a.max_grad_norm)
                opt.step()
                stats.append((pi_loss.item(), v_loss.item(), ent.item()))
        sched.step()
        if it % 5 == 0 or it == 1:
            m = np.mean(stats, axis=0)
            print(f"iter {it:3d}  policy {m[0]:+.4f}  value {m[1]:.3f}  entropy {m[2]:.3f}  "
                  f"episode length {np.mean(recent) if recent else float('nan'):.1f}", flush=True)
    print(f"greedy policy, 20 fresh episodes: {greedy_return(agent, a.limit):.1f} of {a.limit}")


if __name__ == "__main__":
    main()
