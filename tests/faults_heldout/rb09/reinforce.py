import argparse

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from cartpole import CartPoleBatch

SCALE = torch.tensor([1.0, 1.5, 0.1, 1.5])


class ActorCritic(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.value = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 1))


def rollout(env, net, greedy=False):
    obs, states, actions, rewards, done = env.reset(), [], [], [], False
    while not done:
        s = torch.from_numpy(obs) / SCALE
        with torch.no_grad():
            logits = net.policy(s)
        a = logits.argmax(1) if greedy else Categorical(logits=logits).sample()
        obs, r, done = env.step(a.numpy())
        states.append(s)
        actions.append(a)
        rewards.append(torch.from_numpy(r))
    return torch.stack(states), torch.stack(actions), torch.stack(rewards)


def discounted(rewards, gamma):
    out, run = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        run = rewards[t] + gamma * run
        out[t] = run
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=80)
    p.add_argument("--episodes", type=int, default=16)
    p.add_argument("--limit", type=int, default=200)
    p.add_argument("--gamma", type=float, default=0.98)
    p.add_argument("--entropy", type=float, default=0.005)
    a = p.parse_args()

    torch.manual_seed(0)
    net = ActorCritic()
    opt = torch.optim.Adam(
        [{"params": net.policy.parameters(), "lr": 1e-2}, {"params": net.value.parameters(), "lr": 1e-2}]
    )
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.iterations)
    env = CartPoleBatch(a.episodes, a.limit, seed=1)
    test_env = CartPoleBatch(50, a.limit, seed=1000)
    print("untrained greedy return %.1f" % rollout(test_env, net, greedy=True)[2].sum(0).mean())

    for it in range(1, a.iterations + 1):
        s, act, rew = rollout(env, net)
        live = rew > 0  # steps after a fall carry no reward and are left out
        ret = discounted(rew, a.gamma)[live]
        dist = Categorical(logits=net.policy(s[live]))
        value = net.value(s[live]).squeeze(1) * 10 + 20
        adv = ret - value.detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        pg = -(dist.log_prob(act[live]) * adv).mean()
        critic = ((value - ret) / 10).pow(2).mean()
        loss = pg + 0.5 * critic - a.entropy * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        if it % 5 == 0:
            print(f"iter {it:3d} return {rew.sum(0).mean():6.1f} loss {loss.item():+.3f} pg {pg.item():+.3f} critic {critic.item():.3f}")

    final = rollout(test_env, net, greedy=True)[2].sum(0)
    print(f"greedy return on fresh starts {final.mean():.1f} (worst {final.min():.0f})")


if __name__ == "__main__":
    main()
