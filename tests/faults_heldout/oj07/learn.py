"""Ordering policy by policy gradient."""
import torch
from torch import nn

from store import Store

COPIES, DAYS, GAMMA, MAX_ORDER = 32, 28, 0.9, 9
torch.manual_seed(14)
env = Store(COPIES)
actor = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, MAX_ORDER + 1))
critic = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 1))
opt = torch.optim.Adam([{"params": actor.parameters(), "lr": 8e-3}, {"params": critic.parameters(), "lr": 1e-2}])


@torch.no_grad()
def trial(copies=256):
    test = Store(copies)
    obs, total = test.reset(), torch.zeros(copies)
    for _ in range(DAYS):
        obs, r = test.step(actor(obs).argmax(1).float())
        total += r
    return total.mean().item() / DAYS


for it in range(1, 221):
    obs = env.reset()
    states, actions, rewards = [], [], []
    with torch.no_grad():
        for _ in range(DAYS):
            act = torch.distributions.Categorical(logits=actor(obs)).sample()
            states.append(obs)
            actions.append(act)
            obs, r = env.step(act.float())
            rewards.append(r / 10)
        ahead = critic(obs).squeeze(1)
        returns = []
        for r in reversed(rewards):
            ahead = r + GAMMA * ahead
            returns.insert(0, ahead)
    s, a, ret = torch.cat(states), torch.cat(actions), torch.cat(returns)
    value = critic(s).squeeze(1)
    adv = (ret - value).detach()
    adv = (adv - adv.mean()) / adv.std()
    dist = torch.distributions.Categorical(logits=actor(s))
    policy = -(dist.log_prob(a) * adv).mean()
    loss = policy + 0.5 * (ret - value).pow(2).mean() - 0.005 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 2.0)
    opt.step()
    if it % 10 == 0:
        print(f"it {it:3d} loss {loss.item():+.3f} policy {policy.item():+.3f} profit/day {10 * torch.stack(rewards).mean().item():.2f} "
              f"greedy {trial():.2f}")
