"""REINFORCE with a value baseline on a vectorised cart-pole."""
import math

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

ENVS, HORIZON, GAMMA = 16, 150, 0.98


class CartPoles:
    def __init__(self, n, seed):
        self.n, self.rng = n, np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        return self.s.astype(np.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * w ** 2 * s) / 1.1
        acc_th = (9.8 * s - c * tmp) / (0.5 * (4 / 3 - 0.1 * c ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * c / 1.1
        self.s = np.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], axis=1)
        down = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        return self.s.astype(np.float32), down


class Policy(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.v = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, 1))


def rollout(policy, envs):
    obs, alive = envs.reset(), np.ones(envs.n, dtype=bool)
    states, actions, masks = [], [], []
    for _ in range(HORIZON):
        with torch.no_grad():
            act = Categorical(logits=policy.pi(torch.from_numpy(obs))).sample()
        states.append(torch.from_numpy(obs))
        actions.append(act)
        masks.append(torch.from_numpy(alive.astype(np.float32)))
        obs, down = envs.step(act.numpy())
        alive = alive & ~down
        if not alive.any():
            break
    return torch.stack(states), torch.stack(actions), torch.stack(masks)


def returns_to_go(masks):
    out, acc = torch.zeros_like(masks), torch.zeros(masks.shape[1])
    for t in range(len(masks) - 1, -1, -1):
        acc = masks[t] + GAMMA * acc          # reward 1 for every step on which the pole is up
        out[t] = acc
    return out


def main():
    torch.manual_seed(4)
    policy, envs = Policy(), CartPoles(ENVS, seed=4)
    opt = torch.optim.Adam([{"params": policy.pi.parameters(), "lr": 5e-3}, {"params": policy.v.parameters(), "lr": 1e-2}])
    lengths = []
    for update in range(150):
        states, actions, masks = rollout(policy, envs)
        ret = returns_to_go(masks)
        value = policy.v(states).squeeze(-1)
        alive = masks.bool()
        adv = (ret - value.detach())[alive]
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        dist = Categorical(logits=policy.pi(states))
        pg = -(dist.log_prob(actions)[alive] * adv).mean()
        v_loss = nn.functional.smooth_l1_loss(value[alive], ret[alive])
        loss = pg + v_loss - 0.005 * dist.entropy()[alive].mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.pi.parameters(), 1.0)
        opt.step()
        lengths.append(masks.sum(0).mean().item())
        if update % 15 == 14:
            print(f"update {update + 1} loss {loss.item():+.4f} length {np.mean(lengths[-15:]):.1f} / {HORIZON}")


if __name__ == "__main__":
    main()
