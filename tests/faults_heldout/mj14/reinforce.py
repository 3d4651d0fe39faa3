"""Ordering policy for the shop by policy gradient with a learned baseline."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical

from shop import Shop


@dataclass
class Options:
    updates: int = 120
    shops: int = 24
    lr_policy: float = 4e-3
    lr_value: float = 1e-2
    entropy: float = 0.005
    seed: int = 4


def net(out):
    return nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, out))


def rollout(env, policy, greedy=False):
    obs, rewards, log_probs, entropies, states = env.reset(), [], [], [], []
    done = False
    while not done:
        dist = Categorical(logits=policy(obs))
        action = dist.probs.argmax(-1) if greedy else dist.sample()
        states.append(obs)
        log_probs.append(dist.log_prob(action))
        entropies.append(dist.entropy())
        obs, r, done = env.step(action)
        rewards.append(r)
    return torch.stack(states), torch.stack(rewards), torch.stack(log_probs), torch.stack(entropies)


def main(o=Options()):
    torch.manual_seed(o.seed)
    env = Shop(o.shops, torch.Generator().manual_seed(o.seed))
    policy, value = net(Shop.max_order + 1), net(1)
    opt = torch.optim.Adam([
        {"params": policy.parameters(), "lr": o.lr_policy},
        {"params": value.parameters(), "lr": o.lr_value},
    ])
    for update in range(1, o.updates + 1):
        states, rewards, log_probs, entropies = rollout(env, policy)
        to_go = rewards.flip(0).cumsum(0).flip(0) / 50
        baseline = value(states).squeeze(-1)
        advantage = (to_go - baseline).detach()
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        loss_p = -(log_probs * advantage).mean()
        loss_v = (to_go - baseline).square().mean()
        loss = loss_p + 0.5 * loss_v - o.entropy * entropies.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*policy.parameters(), *value.parameters()], 1.0)
        opt.step()
        if update % 10 == 0:
            print(f"update {update:4d} loss {loss.item():+.4f} return {rewards.sum(0).mean().item():8.2f} entropy {entropies.mean().item():.3f}")
    with torch.no_grad():
        test = Shop(2000, torch.Generator().manual_seed(999))
        total = rollout(test, policy, greedy=True)[1].sum(0)
    print(f"greedy return over 2000 shops {total.mean().item():.2f}")


if __name__ == "__main__":
    main()
