from collections import deque

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

from cartpole import CartPoleBatch

SEED = 9
ENVS = 32
ROLLOUT = 32
UPDATES = 60
PASSES = 4
MINIBATCH = 256
CLIP = 0.2
GAMMA, LAM = 0.98, 0.95
REWARD_SCALE = 0.1


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, width=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, 1))
        nn.init.zeros_(self.pi[-1].bias)
        self.pi[-1].weight.data.mul_(0.01)

    def forward(self, obs):
        return Categorical(logits=self.pi(obs)), self.v(obs).squeeze(-1)


@torch.no_grad()
def collect(net, env, finished):
    keep = {k: [] for k in ("obs", "act", "logp", "rew", "val", "nxt", "cut")}
    for _ in range(ROLLOUT):
        obs = torch.from_numpy(env.observe())
        dist, val = net(obs)
        act = dist.sample()
        after, rew, fell, timeout, lengths = env.step(act.numpy())
        nxt = net.v(torch.from_numpy(after)).squeeze(-1) * torch.from_numpy(~fell)
        finished.extend(lengths.tolist())
        for k, t in zip(keep, (obs, act, dist.log_prob(act), torch.from_numpy(rew), val, nxt, torch.from_numpy(fell | timeout))):
            keep[k].append(t)
    return {k: torch.stack(v) for k, v in keep.items()}


def advantages(b):
    delta = REWARD_SCALE * b["rew"] + GAMMA * b["nxt"] - b["val"]
    adv = torch.zeros_like(delta)
    run = torch.zeros(ENVS)
    for t in reversed(range(ROLLOUT)):
        run = delta[t] + GAMMA * LAM * run * ~b["cut"][t]
        adv[t] = run
    return adv, adv + b["val"]


def losses(net, obs, act, old, adv, target):
    dist, val = net(obs)
    ratio = (dist.log_prob(act) - old).exp()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    policy = -torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
    value = nn.functional.smooth_l1_loss(val, target)
    return policy + 0.5 * value - 0.001 * dist.entropy().mean(), policy


def main():
    torch.manual_seed(SEED)
    env = CartPoleBatch(ENVS, horizon=200, seed=SEED)
    net = ActorCritic(4, 2)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=UPDATES)
    finished = deque(maxlen=64)
    for update in range(1, UPDATES + 1):
        batch = collect(net, env, finished)
        adv, target = advantages(batch)
        flat = [t.flatten(0, 1) for t in (batch["obs"], batch["act"], batch["logp"], adv, target)]
        for _ in range(PASSES):
            for idx in torch.randperm(ENVS * ROLLOUT).split(MINIBATCH):
                loss, policy = losses(net, *(t[idx] for t in flat))
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        sched.step()
        if update % 5 == 0:
            print(f"update {update:3d}  loss {loss.item():+.3f}  policy {policy.item():+.4f}  episode length {np.mean(finished):.1f}")


if __name__ == "__main__":
    main()
