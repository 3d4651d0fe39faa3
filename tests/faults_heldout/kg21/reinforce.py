"""REINFORCE with a learned baseline on a shaky cart-pole."""
import numpy as np
import torch
from torch import nn

from pole import Poles

GAMMA = 0.98
UPDATES = 150

torch.manual_seed(3)
policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
baseline = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam([{"params": policy.parameters(), "lr": 5e-3}, {"params": baseline.parameters(), "lr": 1e-2}])


def rollout(env, greedy=False):
    obs, states, actions, rewards, done = env.reset(), [], [], [], False
    while not done:
        with torch.no_grad():
            logits = policy(torch.from_numpy(obs))
        a = logits.argmax(1) if greedy else torch.distributions.Categorical(logits=logits).sample()
        states.append(obs)
        actions.append(a)
        obs, r, done = env.step(a.numpy())
        rewards.append(r)
    return torch.tensor(np.array(states)), torch.stack(actions), torch.tensor(np.array(rewards))


def returns(rewards):
    out, g = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        g = rewards[t] + GAMMA * g
        out[t] = g
    return out * (1 - GAMMA)


train_env, test_env = Poles(4, seed=1), Poles(50, seed=2)
for update in range(1, UPDATES + 1):
    states, actions, rewards = rollout(train_env)
    live = rewards > 0
    ret = returns(rewards)[live]
    value = baseline(states[live]).squeeze(-1)
    adv = ret - value.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    dist = torch.distributions.Categorical(logits=policy(states[live]))
    loss_pi = -(dist.log_prob(actions[live]) * adv).mean() - 0.003 * dist.entropy().mean()
    loss_v = (value - ret).pow(2).mean()
    opt.zero_grad()
    (loss_pi + loss_v).backward()
    opt.step()
    if update % 10 == 0:
        test = rollout(test_env, greedy=True)[2].sum(0)
        print(f"update {update:3d} policy loss {loss_pi.item():+.3f} value loss {loss_v.item():.3f} "
              f"steps upright {rewards.sum(0).mean():.0f} greedy {test.mean():.0f} (of 150)")
