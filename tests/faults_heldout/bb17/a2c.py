"""Synchronous advantage actor-critic on a vectorised cart-pole (own dynamics, 16 copies)."""
import math

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


class CartPoles:
    """n independent cart-poles that restart on their own; an episode is cut after 200 steps."""

    def __init__(self, n, rng, limit=200):
        self.n, self.rng, self.limit = n, rng, limit
        self.s = rng.uniform(-0.05, 0.05, (n, 4))
        self.t = np.zeros(n, dtype=int)

    def obs(self):
        return torch.tensor(self.s * [0.5, 0.5, 5.0, 0.5], dtype=torch.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc_th = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * c / 1.1
        self.s = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], axis=1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        cut = (self.t >= self.limit) & ~fell
        final_obs, length = self.obs(), self.t.copy()
        over = fell | cut
        self.s[over] = self.rng.uniform(-0.05, 0.05, (over.sum(), 4))
        self.t[over] = 0
        return fell, cut, final_obs, length


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.critic = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def value(self, x):
        return self.critic(x).squeeze(-1)


GAMMA, LAM, HORIZON, ENVS, UPDATES = 0.98, 0.95, 20, 16, 340
ENTROPY, VALUE_COEF = 0.005, 0.5


def greedy_score(net, episodes=20):
    env = CartPoles(episodes, np.random.default_rng(77))
    alive, score = np.ones(episodes, bool), np.zeros(episodes)
    with torch.no_grad():
        for _ in range(200):
            fell, _, _, _ = env.step(net.actor(env.obs()).argmax(1).numpy())
            score += alive
            alive &= ~fell
    return score.mean()


def main():
    torch.manual_seed(3)
    env = CartPoles(ENVS, np.random.default_rng(3))
    net = ActorCritic()
    opt = torch.optim.Adam([
        {"params": net.actor.parameters(), "lr": 3e-3},
        {"params": net.critic.parameters(), "lr": 6e-3},
    ])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=UPDATES)
    finished = []
    for update in range(1, UPDATES + 1):
        obs, actions, boot, ends = [], [], [], []
        for _ in range(HORIZON):
            o = env.obs()
            with torch.no_grad():
                a = Categorical(logits=net.actor(o)).sample()
            fell, cut, nxt, length = env.step(a.numpy())
            with torch.no_grad():
                next_value = net.value(nxt) * torch.tensor(~fell)     # a time-out is not a failure
            obs.append(o)
            actions.append(a)
            boot.append(next_value)
            ends.append(torch.tensor(fell | cut))
            finished += length[fell | cut].tolist()
        obs, actions, boot, ends = map(torch.stack, (obs, actions, boot, ends))

        value = net.value(obs)
        with torch.no_grad():
            delta = 0.1 + GAMMA * boot - value                        # reward 0.1 per step
            adv = torch.zeros_like(delta)
            running = torch.zeros(ENVS)
            for t in reversed(range(HORIZON)):
                running = delta[t] + GAMMA * LAM * running * (~ends[t])
                adv[t] = running
            target = value + adv
            adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        dist = Categorical(logits=net.actor(obs))
        loss = (-(dist.log_prob(actions) * adv).mean() + VALUE_COEF * ((value - target) ** 2).mean()
                - ENTROPY * dist.entropy().mean())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        if update % 40 == 0:
            print(f"update {update:4d}  loss {loss.item():+.3f}  last 50 episodes {np.mean(finished[-50:]):6.1f}  "
                  f"greedy policy {greedy_score(net):6.1f} / 200")


if __name__ == "__main__":
    main()
