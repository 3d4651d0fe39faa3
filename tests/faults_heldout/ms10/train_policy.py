import argparse
from collections import deque

import numpy as np
import torch

from agent import Critic, Policy, discounted
from balance import Balance

p = argparse.ArgumentParser()
p.add_argument("--iterations", type=int, default=36)
p.add_argument("--envs", type=int, default=24)
p.add_argument("--max-steps", type=int, default=200)
p.add_argument("--gamma", type=float, default=0.98)
p.add_argument("--lr", type=float, default=1e-2)
p.add_argument("--entropy", type=float, default=0.005)
p.add_argument("--seed", type=int, default=2)
a = p.parse_args()

torch.manual_seed(a.seed)
env = Balance(a.envs, a.max_steps, np.random.default_rng(a.seed))
policy, critic = Policy(), Critic()
actor_opt = torch.optim.Adam(policy.parameters(), lr=a.lr)
critic_opt = torch.optim.Adam(critic.parameters(), lr=a.lr)
recent = deque(maxlen=5)


def rollout():
    obs, acts, rews, live = [], [], [], []
    o, done = env.reset(), False
    while not done:
        ot = torch.from_numpy(o)
        with torch.no_grad():
            act = policy(ot).sample()
        live.append(torch.from_numpy(env.alive.astype(np.float32)))
        o, r, done = env.step(act.numpy())
        obs.append(ot)
        acts.append(act)
        rews.append(torch.from_numpy(r))
    return torch.stack(obs), torch.stack(acts), torch.stack(rews), torch.stack(live)


for it in range(a.iterations):
    obs, acts, rews, live = rollout()
    returns = discounted(rews, a.gamma)
    mask = live > 0

    value = critic(obs)
    adv = (returns - value.detach())[mask]
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    dist = policy(obs[mask])
    actor_loss = -(dist.log_prob(acts[mask]) * adv).mean() - a.entropy * dist.entropy().mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    actor_opt.step()

    scale = 1 / (1 - a.gamma)
    for _ in range(3):
        critic_loss = (((critic(obs) - returns) / scale) ** 2)[mask].mean()
        critic_opt.zero_grad()
        critic_loss.backward()
        critic_opt.step()

    recent.append(rews.sum(0).mean().item())
    if it % 5 == 4:
        print(f"iter {it + 1:3d} steps balanced {np.mean(recent):6.1f} actor {actor_loss.item():+.3f} "
              f"critic {critic_loss.item():.3f} entropy {dist.entropy().mean().item():.2f}")
