"""PPO on a vectorised CartPole (dynamics as in Barto, Sutton & Anderson)."""
import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Cfg:
    n_envs: int = 16
    horizon: int = 64
    updates: int = 70
    epochs: int = 4
    minibatches: int = 4
    lr: float = 2.5e-3
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    vf_coef: float = 0.5
    ent_coef: float = 0.01
    max_grad_norm: float = 0.5
    max_episode: int = 200
    seed: int = 3


class VecCartPole:
    g, mc, mp, length, force, tau = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def __init__(self, n, max_steps, seed):
        self.n, self.max_steps = n, max_steps
        self.rng = np.random.default_rng(seed)
        self.s = self._fresh(n)
        self.t = np.zeros(n, dtype=int)
        self.finished = []

    def _fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4))

    def obs(self):
        return torch.as_tensor(self.s, dtype=torch.float32)

    def step(self, a):
        x, xd, th, thd = self.s.T
        f = np.where(a == 1, self.force, -self.force)
        total = self.mc + self.mp
        pml = self.mp * self.length
        tmp = (f + pml * thd**2 * np.sin(th)) / total
        thacc = (self.g * np.sin(th) - np.cos(th) * tmp) / (
            self.length * (4 / 3 - self.mp * np.cos(th) ** 2 / total))
        xacc = tmp - pml * thacc * np.cos(th) / total
        self.s = np.stack([x + self.tau * xd, xd + self.tau * xacc,
                           th + self.tau * thd, thd + self.tau * thacc], axis=1)
        self.t += 1
        fell = (np.abs(self.s[:, 0]) > 2.4) | (np.abs(self.s[:, 2]) > 12 * math.pi / 180)
        timeout = (self.t >= self.max_steps) & ~fell
        done = fell | timeout
        last = self.obs()
        if done.any():
            self.finished.extend(self.t[done].tolist())
            self.s[done] = self._fresh(int(done.sum()))
            self.t[done] = 0
        return np.ones(self.n, dtype=np.float32), done, timeout, last


def layer(i, o, gain):
    m = nn.Linear(i, o)
    nn.init.orthogonal_(m.weight, gain)
    nn.init.zeros_(m.bias)
    return m


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        h = 64
        self.actor = nn.Sequential(layer(4, h, 2**0.5), nn.Tanh(), layer(h, h, 2**0.5), nn.Tanh(),
                                   layer(h, 2, 0.01))
        self.critic = nn.Sequential(layer(4, h, 2**0.5), nn.Tanh(), layer(h, h, 2**0.5), nn.Tanh(),
                                    layer(h, 1, 1.0))

    def dist(self, obs):
        return Categorical(logits=self.actor(obs))

    def value(self, obs):
        return self.critic(obs).squeeze(-1)


@torch.no_grad()
def rollout(agent, env, cfg):
    buf = {k: [] for k in ("obs", "act", "logp", "val", "rew", "done")}
    for _ in range(cfg.horizon):
        obs = env.obs()
        d = agent.dist(obs)
        a = d.sample()
        r, done, timeout, last = env.step(a.numpy())
        r = torch.from_numpy(r)
        if timeout.any():
            r = r + cfg.gamma * agent.value(last) * torch.from_numpy(timeout).float()
        buf["obs"].append(obs)
        buf["act"].append(a)
        buf["logp"].append(d.log_prob(a))
        buf["val"].append(agent.value(obs))
        buf["rew"].append(r)
        buf["done"].append(torch.from_numpy(done).float())
    b = {k: torch.stack(v) for k, v in buf.items()}
    nxt, adv, run = agent.value(env.obs()), torch.zeros_like(b["rew"]), torch.zeros(cfg.n_envs)
    for t in reversed(range(cfg.horizon)):
        live = 1 - b["done"][t]
        delta = b["rew"][t] + cfg.gamma * nxt * live - b["val"][t]
        run = delta + cfg.gamma * cfg.lam * live * run
        adv[t] = run
        nxt = b["val"][t]
    b["adv"], b["ret"] = adv, adv + b["val"]
    return {k: v.flatten(0, 1) for k, v in b.items()}


def main():
    cfg = Cfg()
    torch.manual_seed(cfg.seed)
    env = VecCartPole(cfg.n_envs, cfg.max_episode, cfg.seed)
    agent = Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=cfg.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda u: 1 - u / cfg.updates)

    for u in range(cfg.updates):
        batch = rollout(agent, env, cfg)
        n = batch["obs"].shape[0]
        kls = []
        for _ in range(cfg.epochs):
            for idx in torch.randperm(n).chunk(cfg.minibatches):
                d = agent.dist(batch["obs"][idx])
                logp = d.log_prob(batch["act"][idx])
                ratio = (logp - batch["logp"][idx]).exp()
                adv = batch["adv"][idx]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                pg = -torch.min(ratio * adv, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * adv).mean()
                vf = 0.5 * (agent.value(batch["obs"][idx]) - batch["ret"][idx]).pow(2).mean()
                loss = pg + cfg.vf_coef * vf - cfg.ent_coef * d.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), cfg.max_grad_norm)
                opt.step()
                kls.append((batch["logp"][idx] - logp).mean().item())
        sched.step()
        if u % 7 == 0 or u == cfg.updates - 1:
            recent = env.finished[-30:]
            print(f"update {u:3d}  return(last 30) {np.mean(recent):6.1f}  pg {pg.item():+.4f}  "
                  f"vf {vf.item():8.3f}  kl {np.mean(kls):+.4f}  episodes {len(env.finished)}")

    test = VecCartPole(32, cfg.max_episode, seed=999)
    while len(test.finished) < 32:
        with torch.no_grad():
            a = agent.dist(test.obs()).probs.argmax(-1)
        test.step(a.numpy())
    print(f"greedy evaluation: mean return {np.mean(test.finished):.1f} (max {cfg.max_episode})")


if __name__ == "__main__":
    main()
