"""REINFORCE on a cart-pole; the baseline is the mean return-to-go of the carts running side by side."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Settings:
    carts: int = 24
    horizon: int = 200
    updates: int = 70
    gamma: float = 0.99
    lr: float = 1e-2
    entropy: float = 0.005
    eval_every: int = 10
    seed: int = 12


class CartPoles:
    """Euler-integrated cart-pole (standard constants), vectorised over n carts."""

    G, M_CART, M_POLE, HALF_LEN, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def __init__(self, n, seed):
        self.n = n
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, (self.n, 4))
        self.alive = np.ones(self.n, dtype=bool)
        return self.observe()

    def observe(self):
        return torch.as_tensor(self.s / np.array([2.4, 2.0, 0.21, 2.0]), dtype=torch.float32)

    def step(self, action):
        x, v, th, w = self.s.T
        f = np.where(action == 1, self.FORCE, -self.FORCE)
        total = self.M_CART + self.M_POLE
        tmp = (f + self.M_POLE * self.HALF_LEN * w ** 2 * np.sin(th)) / total
        acc_th = (self.G * np.sin(th) - np.cos(th) * tmp) / (
            self.HALF_LEN * (4 / 3 - self.M_POLE * np.cos(th) ** 2 / total))
        acc_x = tmp - self.M_POLE * self.HALF_LEN * acc_th * np.cos(th) / total
        new = np.stack([x + self.DT * v, v + self.DT * acc_x, th + self.DT * w, w + self.DT * acc_th], axis=1)
        self.s = np.where(self.alive[:, None], new, self.s)
        reward = self.alive.astype(np.float32)
        self.alive &= (np.abs(self.s[:, 0]) < 2.4) & (np.abs(self.s[:, 2]) < 0.2095)
        return self.observe(), reward


def make_policy():
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))


def rollout(policy, env, horizon):
    obs, log_p, ent, rew = env.reset(), [], [], []
    for _ in range(horizon):
        dist = Categorical(logits=policy(obs))
        a = dist.sample()
        obs, r = env.step(a.numpy())
        log_p.append(dist.log_prob(a))
        ent.append(dist.entropy())
        rew.append(torch.from_numpy(r))
        if not env.alive.any():
            break
    return torch.stack(log_p), torch.stack(ent), torch.stack(rew)


def rewards_to_go(rew, gamma):
    out = torch.zeros_like(rew)
    acc = torch.zeros(rew.shape[1])
    for t in range(len(rew) - 1, -1, -1):
        acc = rew[t] + gamma * acc
        out[t] = acc
    return out


@torch.no_grad()
def greedy_score(policy, horizon, seed, n=50):
    env = CartPoles(n, seed)
    obs = env.reset()
    total = np.zeros(n)
    for _ in range(horizon):
        obs, r = env.step(policy(obs).argmax(1).numpy())
        total += r
    return total.mean()


def main(cfg=Settings()):
    torch.manual_seed(cfg.seed)
    policy = make_policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=cfg.updates)
    env = CartPoles(cfg.carts, cfg.seed)
    for update in range(1, cfg.updates + 1):
        log_p, ent, rew = rollout(policy, env, cfg.horizon)
        mask = rew  # 1 while the pole stands
        ret = rewards_to_go(rew, cfg.gamma)
        baseline = (ret * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)
        adv = (ret - baseline) * mask
        adv = adv / (adv[mask > 0].std() + 1e-6)
        loss = -((log_p * adv).sum() + cfg.entropy * (ent * mask).sum()) / mask.sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if update % cfg.eval_every == 0:
            print(f"update {update:3d}  surrogate {loss.item():+.4f}  sampled return {rew.sum(0).mean():6.1f}"
                  f"  greedy return {greedy_score(policy, cfg.horizon, 1000 + update):6.1f}")
    print(f"final greedy return over 200 fresh starts: {greedy_score(policy, cfg.horizon, 9999, 200):.1f} / {cfg.horizon}")


if __name__ == "__main__":
    main()
