"""REINFORCE with a learned baseline on cart-pole; every update uses 16 fresh episodes."""
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

from cartpole import CartPoles

HORIZON = 200
EPISODES = 16
UPDATES = 80
GAMMA = 0.99
ENTROPY = 0.005

torch.manual_seed(2)
scale = torch.tensor([1.0, 1.0, 5.0, 1.0])


def net(out):
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, out))


policy, baseline = net(2), net(1)
opt_pi = torch.optim.Adam(policy.parameters(), lr=6e-3)
opt_v = torch.optim.Adam(baseline.parameters(), lr=1e-2)


@torch.no_grad()
def rollout(env, greedy=False):
    obs, acts, rews = [], [], []
    o = torch.from_numpy(env.reset()) * scale
    for _ in range(HORIZON):
        logits = policy(o)
        a = logits.argmax(-1) if greedy else Categorical(logits=logits).sample()
        nxt, r, alive = env.step(a.numpy())
        obs.append(o), acts.append(a), rews.append(torch.from_numpy(r))
        o = torch.from_numpy(nxt) * scale
        if not alive.any():
            break
    return torch.stack(obs), torch.stack(acts), torch.stack(rews)


def returns_to_go(r):
    out, run = torch.zeros_like(r), torch.zeros(r.size(1))
    for t in reversed(range(len(r))):
        run = r[t] + GAMMA * run
        out[t] = run
    return out


env, test_env = CartPoles(EPISODES, seed=5), CartPoles(50, seed=6)
history = []
for update in range(1, UPDATES + 1):
    obs, acts, rews = rollout(env)
    live = rews > 0                       # steps after the pole has fallen carry no reward and are left out
    ret = returns_to_go(rews)[live] / 20.0
    obs, acts = obs[live], acts[live]

    for _ in range(3):
        v_loss = nn.functional.mse_loss(baseline(obs).squeeze(-1), ret)
        opt_v.zero_grad()
        v_loss.backward()
        opt_v.step()

    with torch.no_grad():
        adv = ret - baseline(obs).squeeze(-1)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    dist = Categorical(logits=policy(obs))
    pi_loss = -(dist.log_prob(acts) * adv).mean() - ENTROPY * dist.entropy().mean()
    opt_pi.zero_grad()
    pi_loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    opt_pi.step()

    history.append(rews.sum(0).mean().item())
    if update % 10 == 0:
        print(f"update {update:3d}  return {np.mean(history[-10:]):6.1f}  policy loss {pi_loss.item():+.4f}  "
              f"value loss {v_loss.item():.3f}  entropy {dist.entropy().mean().item():.3f}")

score = rollout(test_env, greedy=True)[2].sum(0)
print(f"greedy policy over 50 episodes: mean return {score.mean().item():.1f}, worst {score.min().item():.0f} (limit {HORIZON})")
