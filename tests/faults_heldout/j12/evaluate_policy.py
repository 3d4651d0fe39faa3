"""Monte-Carlo policy evaluation: learns V(s) of a fixed noisy controller on a point mass."""
import numpy as np
import torch

from nets import Critic

GAMMA, HORIZON = 0.95, 120


class PointMass:
    """x'' = u, quadratic cost; many copies at once."""

    def __init__(self, n, rng):
        self.rng = rng
        self.s = np.stack([rng.uniform(-2, 2, n), rng.uniform(-1, 1, n)], 1)

    def step(self, u):
        x, v = self.s[:, 0], self.s[:, 1]
        cost = x ** 2 + 0.1 * v ** 2 + 0.05 * u ** 2
        v = 0.98 * v + 0.1 * u + 0.02 * self.rng.normal(size=len(v))
        x = x + 0.1 * v
        self.s = np.stack([x, v], 1)
        return self.s.copy(), -cost


def controller(s, rng):
    return np.clip(-1.0 * s[:, 0] - 1.2 * s[:, 1], -2, 2) + 0.3 * rng.normal(size=len(s))


def collect(n_episodes, seed):
    rng = np.random.default_rng(seed)
    env = PointMass(n_episodes, rng)
    obs, rew = [], []
    s = env.s.copy()
    for _ in range(HORIZON):
        obs.append(s)
        s, r = env.step(controller(s, rng))
        rew.append(r)
    ret = np.zeros((HORIZON, n_episodes))
    acc = np.zeros(n_episodes)
    for t in reversed(range(HORIZON)):
        acc = rew[t] + GAMMA * acc
        ret[t] = acc
    keep = HORIZON // 2                         # tails are truncated too early to be used
    o = np.concatenate(obs[:keep]).astype(np.float32)
    return torch.from_numpy(o), torch.from_numpy(ret[:keep].reshape(-1).astype(np.float32))


def explained_variance(pred, target):
    return 1 - (target - pred).var() / target.var()


def main():
    torch.manual_seed(0)
    obs, ret = collect(200, seed=1)
    obs_te, ret_te = collect(60, seed=2)
    print(f"returns: mean {ret.mean():.2f} std {ret.std():.2f} range [{ret.min():.1f}, {ret.max():.1f}]")
    critic = Critic(2)
    opt = torch.optim.Adam(critic.parameters(), lr=3e-3)
    for it in range(15):
        critic.train()
        for idx in torch.randperm(len(obs)).split(256):
            loss = torch.nn.functional.smooth_l1_loss(critic(obs[idx]), ret[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        critic.eval()
        with torch.no_grad():
            p = critic(obs_te)
        print(f"iter {it:2d}  huber {loss.item():8.4f}  test mse {(p - ret_te).pow(2).mean():9.4f}  "
              f"expl.var {explained_variance(p, ret_te):6.3f}")


if __name__ == "__main__":
    main()
