import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


def body(out, gain):
    layers = [nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out)]
    for layer in layers[:-1:2]:
        nn.init.orthogonal_(layer.weight, 2 ** 0.5)
    nn.init.orthogonal_(layers[-1].weight, gain)
    for layer in layers[::2]:
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = body(2, 0.01)
        self.v = body(1, 1.0)

    def forward(self, obs):
        return Categorical(logits=self.pi(obs)), self.v(obs).squeeze(-1)


class Ppo:
    def __init__(self, env, lr=1e-3, gamma=0.98, lam=0.95, clip=0.2, epochs=4, horizon=64, reward_scale=0.05):
        self.env, self.gamma, self.lam, self.clip = env, gamma, lam, clip
        self.epochs, self.horizon, self.reward_scale = epochs, horizon, reward_scale
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr, eps=1e-5)
        self.base_lr = lr

    @torch.no_grad()
    def collect(self):
        obs = self.env.observe()
        buf = {k: [] for k in ("obs", "act", "logp", "val", "rew", "fell", "end", "boot")}
        for _ in range(self.horizon):
            o = torch.from_numpy(obs)
            dist, val = self.net(o)
            act = dist.sample()
            obs, rew, fell, late, final = self.env.step(act.numpy())
            # an episode cut by the time limit still has a future
            boot = self.net(torch.from_numpy(final))[1] * torch.from_numpy(~fell)
            row = (o, act, dist.log_prob(act), val, torch.from_numpy(rew) * self.reward_scale,
                   torch.from_numpy(fell), torch.from_numpy(fell | late), boot)
            for k, v in zip(buf, row):
                buf[k].append(v)
        buf = {k: torch.stack(v) for k, v in buf.items()}
        adv, run = torch.zeros_like(buf["rew"]), 0.0
        for t in reversed(range(self.horizon)):
            delta = buf["rew"][t] + self.gamma * buf["boot"][t] - buf["val"][t]
            run = delta + self.gamma * self.lam * run * (~buf["end"][t])
            adv[t] = run
        buf["adv"], buf["ret"] = adv, adv + buf["val"]
        return {k: v.flatten(0, 1) for k, v in buf.items()}

    def update(self, progress):
        for g in self.opt.param_groups:
            g["lr"] = self.base_lr * (1 - progress)
        b = self.collect()
        stats = []
        for _ in range(self.epochs):
            for idx in torch.randperm(len(b["adv"])).split(256):
                dist, val = self.net(b["obs"][idx])
                adv = b["adv"][idx]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                ratio = (dist.log_prob(b["act"][idx]) - b["logp"][idx]).exp()
                policy = -torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
                value = (val - b["ret"][idx]).pow(2).mean()
                loss = policy + 0.5 * value - 0.005 * dist.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.opt.step()
                stats.append((policy.item(), value.item()))
        return np.mean(stats, 0)
