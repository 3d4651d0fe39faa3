"""PPO for a vectorised cart-pole."""
import math

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


class VecCartPole:
    """Cart-pole with the usual constants; N copies stepped together, reset on end."""

    LIMIT = 300
    REWARD = 0.05  # keeps discounted returns below 5

    def __init__(self, n, rng):
        self.n, self.rng = n, rng
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=np.int64)

    def _fresh(self, n):
        return self.rng.uniform(-0.05, 0.05, size=(n, 4))

    def obs(self):
        return self.s.astype(np.float32)

    def step(self, action):
        x, xd, th, thd = self.s.T
        force = np.where(action == 1, 10.0, -10.0)
        c, s = np.cos(th), np.sin(th)
        tmp = (force + 0.05 * thd**2 * s) / 1.1
        tha = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c**2 / 1.1))
        xa = tmp - 0.05 * tha * c / 1.1
        dt = 0.02
        self.s = np.stack([x + dt * xd, xd + dt * xa, th + dt * thd, thd + dt * tha], axis=1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        timeout = (self.t >= self.LIMIT) & ~fell
        last = self.obs()
        done = fell | timeout
        lengths = self.t[done].tolist()
        if done.any():
            self.s[done] = self._fresh(int(done.sum()))
            self.t[done] = 0
        return self.obs(), last, np.full(self.n, self.REWARD, dtype=np.float32), fell, timeout, lengths


def ortho(layer, gain):
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class ActorCritic(nn.Module):
    def __init__(self, n_obs=4, n_act=2, h=64):
        super().__init__()
        self.pi = nn.Sequential(ortho(nn.Linear(n_obs, h), 2**0.5), nn.Tanh(),
                                ortho(nn.Linear(h, h), 2**0.5), nn.Tanh(),
                                ortho(nn.Linear(h, n_act), 0.01))
        self.v = nn.Sequential(ortho(nn.Linear(n_obs, h), 2**0.5), nn.Tanh(),
                               ortho(nn.Linear(h, h), 2**0.5), nn.Tanh(),
                               ortho(nn.Linear(h, 1), 1.0))

    def dist(self, obs):
        return Categorical(logits=self.pi(obs))

    def value(self, obs):
        return self.v(obs).squeeze(-1)


class PPO:
    def __init__(self, envs, horizon=128, updates=50, lr=1e-3, gamma=0.99, lam=0.95,
                 clip=0.2, epochs=4, minibatches=4, ent=0.001):
        self.envs, self.horizon, self.updates = envs, horizon, updates
        self.gamma, self.lam, self.clip = gamma, lam, clip
        self.epochs, self.minibatches, self.ent = epochs, minibatches, ent
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr, eps=1e-5)
        self.lr = lr

    @torch.no_grad()
    def rollout(self):
        T, N = self.horizon, self.envs.n
        obs = torch.zeros(T, N, 4)
        act = torch.zeros(T, N, dtype=torch.long)
        logp, val, nxt = torch.zeros(T, N), torch.zeros(T, N), torch.zeros(T, N)
        rew, cut = torch.zeros(T, N), torch.zeros(T, N)
        lengths = []
        for t in range(T):
            obs[t] = torch.from_numpy(self.envs.obs())
            d = self.net.dist(obs[t])
            act[t] = d.sample()
            logp[t], val[t] = d.log_prob(act[t]), self.net.value(obs[t])
            _, last, r, fell, timeout, ended = self.envs.step(act[t].numpy())
            rew[t] = torch.from_numpy(r)
            # value of the state that follows; zero only when the pole fell
            nxt[t] = self.net.value(torch.from_numpy(last)) * torch.from_numpy(~fell)
            cut[t] = torch.from_numpy((fell | timeout).astype(np.float32))
            lengths += ended
        adv, run = torch.zeros(T, N), torch.zeros(N)
        for t in reversed(range(T)):
            delta = rew[t] + self.gamma * nxt[t] - val[t]
            run = delta + self.gamma * self.lam * (1 - cut[t]) * run
            adv[t] = run
        flat = lambda x: x.reshape(T * N, *x.shape[2:])
        return [flat(x) for x in (obs, act, logp, adv, adv + val)], lengths

    def update(self, data):
        obs, act, logp_old, adv, ret = data
        stats = []
        for _ in range(self.epochs):
            for idx in torch.randperm(len(obs)).chunk(self.minibatches):
                d = self.net.dist(obs[idx])
                ratio = (d.log_prob(act[idx]) - logp_old[idx]).exp()
                a = adv[idx]
                a = (a - a.mean()) / (a.std() + 1e-8)
                pg = -torch.min(ratio * a, ratio.clamp(1 - self.clip, 1 + self.clip) * a).mean()
                v_loss = nn.functional.mse_loss(self.net.value(obs[idx]), ret[idx])
                entropy = d.entropy().mean()
                loss = pg + 0.5 * v_loss - self.ent * entropy
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
                stats.append((pg.item(), v_loss.item(), entropy.item()))
        return np.mean(stats, axis=0)

    def learn(self):
        recent = []
        for u in range(self.updates):
            for g in self.opt.param_groups:
                g["lr"] = self.lr * (1 - u / self.updates)
            data, lengths = self.rollout()
            pg, v, ent = self.update(data)
            recent = (recent + lengths)[-50:]
            if (u + 1) % 5 == 0:
                print(f"update {u + 1:3d}  episode length {np.mean(recent):6.1f}  policy {pg:+.4f}  value {v:.4f}  entropy {ent:.3f}")

    @torch.no_grad()
    def evaluate(self, n=20):
        env = VecCartPole(n, np.random.default_rng(123))
        first = np.zeros(n, dtype=np.int64)
        alive = np.ones(n, dtype=bool)
        for _ in range(env.LIMIT):
            a = self.net.pi(torch.from_numpy(env.obs())).argmax(-1).numpy()
            *_, fell, timeout, _ = env.step(a)
            first += alive
            alive &= ~(fell | timeout)
        return first.mean()


if __name__ == "__main__":
    torch.manual_seed(1)
    agent = PPO(VecCartPole(16, np.random.default_rng(1)))
    agent.learn()
    print(f"greedy episode length over 20 episodes {agent.evaluate():.1f} of {VecCartPole.LIMIT}")
