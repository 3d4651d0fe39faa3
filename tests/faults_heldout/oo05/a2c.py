import argparse
import collections

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

from env import PoleEnv


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=4, hid=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs_dim, hid), nn.Tanh(), nn.Linear(hid, hid), nn.Tanh(), nn.Linear(hid, 2))
        self.v = nn.Sequential(nn.Linear(obs_dim, hid), nn.Tanh(), nn.Linear(hid, hid), nn.Tanh(), nn.Linear(hid, 1))
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.orthogonal_(m.weight, 2 ** 0.5)
                nn.init.zeros_(m.bias)
        nn.init.orthogonal_(self.pi[-1].weight, 0.01)
        self.register_buffer("scale", torch.tensor([1.0, 1.0, 10.0, 1.0]))

    def forward(self, o):
        o = o * self.scale
        return Categorical(logits=self.pi(o)), self.v(o).squeeze(-1)


def gae(rew, val, nxt, fell, over, gamma, lam):
    adv = torch.zeros_like(rew)
    run = torch.zeros(rew.shape[1])
    for t in reversed(range(rew.shape[0])):
        delta = rew[t] + gamma * nxt[t] * (~fell[t]) - val[t]
        run = delta + gamma * lam * run * (~over[t])
        adv[t] = run
    return adv


@torch.no_grad()
def evaluate(net, episodes=24, seed=999):
    env = PoleEnv(episodes, seed)
    first = np.zeros(episodes)
    alive = np.ones(episodes, bool)
    for _ in range(env.LIMIT):
        dist, _ = net(torch.from_numpy(env.obs()))
        _, fell, timeout, _, _ = env.step(dist.probs.argmax(1).numpy())
        first += alive
        alive &= ~(fell | timeout)
    return first.mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=350)
    p.add_argument("--envs", type=int, default=32)
    p.add_argument("--horizon", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--gamma", type=float, default=0.99)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--entropy", type=float, default=0.005)
    p.add_argument("--seed", type=int, default=4)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    env, net = PoleEnv(a.envs, a.seed), ActorCritic()
    opt = torch.optim.RMSprop(net.parameters(), lr=a.lr, alpha=0.99, eps=1e-5)
    recent = collections.deque(maxlen=60)
    vscale = 1.0 / 50.0

    for u in range(1, a.updates + 1):
        for g in opt.param_groups:
            g["lr"] = a.lr * (1 - (u - 1) / a.updates)
        O, A, R, F, D, N = [], [], [], [], [], []
        for _ in range(a.horizon):
            o = torch.from_numpy(env.obs())
            with torch.no_grad():
                act = net(o)[0].sample()
            r, fell, timeout, last, fin = env.step(act.numpy())
            recent.extend(fin)
            O.append(o); A.append(act); R.append(torch.from_numpy(r) * vscale)
            F.append(torch.from_numpy(fell)); D.append(torch.from_numpy(fell | timeout)); N.append(torch.from_numpy(last))
        O, A, R, F, D, N = map(torch.stack, (O, A, R, F, D, N))

        dist, val = net(O)
        with torch.no_grad():
            nxt = net(N)[1]
            adv = gae(R, val.detach(), nxt, F, D, a.gamma, a.lam)
            target = adv + val.detach()
            adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        pg = -(dist.log_prob(A) * adv).mean()
        vf = 0.5 * (val - target).pow(2).mean()
        ent = dist.entropy().mean()
        loss = pg + vf - a.entropy * ent
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()

        if u % 25 == 0:
            print(f"update {u:4d}  return {np.mean(recent):6.1f}  greedy {evaluate(net):6.1f}  "
                  f"pg {pg.item():+.4f}  vf {vf.item():.4f}  entropy {ent.item():.3f}")


if __name__ == "__main__":
    main()
