"""PPO on a batch of cart-poles."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

from pole import PoleBatch


@dataclass
class Cfg:
    envs: int = 16
    horizon: int = 64
    iters: int = 40
    epochs: int = 4
    minibatch: int = 256
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    lr: float = 1.5e-3
    ent: float = 0.005
    vf: float = 0.5
    max_norm: float = 0.5
    seed: int = 1


def layer(i, o, gain):
    m = nn.Linear(i, o)
    nn.init.orthogonal_(m.weight, gain)
    nn.init.zeros_(m.bias)
    return m


class ActorCritic(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        g = 2 ** 0.5
        self.pi = nn.Sequential(layer(4, h, g), nn.Tanh(), layer(h, h, g), nn.Tanh(), layer(h, 2, 0.01))
        self.v = nn.Sequential(layer(4, h, g), nn.Tanh(), layer(h, h, g), nn.Tanh(), layer(h, 1, 1.0))

    def forward(self, o):
        return Categorical(logits=self.pi(o)), self.v(o).squeeze(-1)


@torch.no_grad()
def collect(net, env, cfg):
    buf = {k: [] for k in ("obs", "act", "logp", "val", "rew", "cut", "nxt")}
    lengths = []
    for _ in range(cfg.horizon):
        o = torch.from_numpy(env.obs())
        dist, v = net(o)
        a = dist.sample()
        _, r, fell, timeout, last, ls = env.step(a.numpy())
        # value of the state after the action: 0 where the pole fell, bootstrapped at a timeout
        nv = net(torch.from_numpy(last))[1] * torch.from_numpy(~fell).float()
        lengths += ls
        for k, t in zip(buf, (o, a, dist.log_prob(a), v, torch.from_numpy(r), torch.from_numpy(fell | timeout), nv)):
            buf[k].append(t)
    b = {k: torch.stack(v) for k, v in buf.items()}
    # rewards scaled so that values are of order one
    scale = 1 - cfg.gamma
    adv = torch.zeros(cfg.horizon, cfg.envs)
    run = torch.zeros(cfg.envs)
    for t in reversed(range(cfg.horizon)):
        delta = scale * b["rew"][t] + cfg.gamma * b["nxt"][t] - b["val"][t]
        run = delta + cfg.gamma * cfg.lam * run * (~b["cut"][t]).float()
        adv[t] = run
    b["adv"], b["ret"] = adv, adv + b["val"]
    return {k: v.flatten(0, 1) for k, v in b.items()}, lengths


def update(net, opt, b, cfg):
    n = len(b["act"])
    stats = []
    for _ in range(cfg.epochs):
        for i in torch.randperm(n).split(cfg.minibatch):
            dist, v = net(b["obs"][i])
            ratio = (dist.log_prob(b["act"][i]) - b["logp"][i]).exp()
            adv = b["adv"][i]
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            pg = -torch.min(ratio * adv, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * adv).mean()
            vl = 0.5 * (v - b["ret"][i]).pow(2).mean()
            loss = pg + cfg.vf * vl - cfg.ent * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), cfg.max_norm)
            opt.step()
            stats.append((pg.item(), vl.item(), dist.entropy().mean().item()))
    return np.mean(stats, 0)


@torch.no_grad()
def greedy_score(net, n=32):
    env = PoleBatch(n, seed=999)
    done = []
    while len(done) < n:
        dist, _ = net(torch.from_numpy(env.obs()))
        done += env.step(dist.probs.argmax(1).numpy())[-1]
    return float(np.mean(done))


def main(cfg=Cfg()):
    torch.manual_seed(cfg.seed)
    env = PoleBatch(cfg.envs, seed=cfg.seed)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, cfg.iters)
    recent = []
    print("untrained greedy score", greedy_score(net))
    for it in range(1, cfg.iters + 1):
        b, lengths = collect(net, env, cfg)
        recent = (recent + lengths)[-40:]
        pg, vl, ent = update(net, opt, b, cfg)
        sched.step()
        if it % 5 == 0:
            print(f"iter {it:3d} steps {it * len(b['act']):6d} return {np.mean(recent):6.1f} pg {pg:+.4f} v {vl:.4f} ent {ent:.3f}")
    print("greedy score", greedy_score(net))


if __name__ == "__main__":
    main()
