import argparse
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from cartpole import VecCartPole


def parse():
    ap = argparse.ArgumentParser("a2c")
    ap.add_argument("--envs", type=int, default=16)
    ap.add_argument("--horizon", type=int, default=32)
    ap.add_argument("--updates", type=int, default=300)
    ap.add_argument("--gamma", type=float, default=0.99)
    ap.add_argument("--lam", type=float, default=0.95)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--adam-eps", type=float, default=1e-5)
    ap.add_argument("--reward-scale", type=float, default=0.05)
    ap.add_argument("--ent", type=float, default=0.0)
    ap.add_argument("--vf", type=float, default=0.5)
    ap.add_argument("--max-norm", type=float, default=0.5)
    ap.add_argument("--seed", type=int, default=1)
    return ap.parse_args()


class ActorCritic(nn.Module):
    def __init__(self, obs=4, act=2, width=64):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, width), nn.Tanh(), nn.Linear(width, act))
        self.v = nn.Sequential(nn.Linear(obs, width), nn.Tanh(), nn.Linear(width, 1))
        nn.init.orthogonal_(self.pi[-1].weight, 0.01)

    def forward(self, o):
        return Categorical(logits=self.pi(o)), self.v(o).squeeze(-1)


def gae(rew, val, nxt, cut, gamma, lam):
    """rew/val/nxt/cut: (T, N); nxt is the bootstrap value of the successor, cut ends a trajectory."""
    adv = torch.zeros_like(rew)
    acc = torch.zeros(rew.shape[1])
    for t in reversed(range(rew.shape[0])):
        delta = rew[t] + gamma * nxt[t] - val[t]
        acc = delta + gamma * lam * acc * (1.0 - cut[t])
        adv[t] = acc
    return adv


def main():
    a = parse()
    torch.manual_seed(a.seed)
    env = VecCartPole(a.envs, a.seed)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr, eps=a.adam_eps)
    scale = torch.tensor([2.4, 2.0, 0.21, 2.0])
    decay = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=a.updates)
    recent = deque(maxlen=60)
    obs = torch.from_numpy(env.obs()) / scale

    for upd in range(1, a.updates + 1):
        O, A, R, V, NV, C = [], [], [], [], [], []
        for _ in range(a.horizon):
            with torch.no_grad():
                dist, val = net(obs)
                act = dist.sample()
                nobs, rew, fell, timeout, final, lengths = env.step(act.numpy())
                recent.extend(lengths.tolist())
                boot = net.v(torch.from_numpy(final) / scale).squeeze(-1)
            O.append(obs); A.append(act); V.append(val)
            R.append(torch.from_numpy(rew) * a.reward_scale)
            NV.append(boot * torch.from_numpy(~fell).float())
            C.append(torch.from_numpy(fell | timeout).float())
            obs = torch.from_numpy(nobs) / scale
        O, A, R, V, NV, C = map(torch.stack, (O, A, R, V, NV, C))
        adv = gae(R, V, NV, C, a.gamma, a.lam)
        ret = adv + V
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)

        dist, value = net(O)
        pg = -(dist.log_prob(A) * adv).mean()
        vf = nn.functional.mse_loss(value, ret)
        ent = dist.entropy().mean()
        loss = pg + a.vf * vf - a.ent * ent
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), a.max_norm)
        opt.step()
        decay.step()

        if upd % 50 == 0:
            frames = upd * a.envs * a.horizon
            print(f"upd {upd:4d} frames {frames:7d} return {np.mean(recent):6.1f} "
                  f"pg {pg.item():+.3f} vf {vf.item():.4f} ent {ent.item():.3f}", flush=True)
    print(f"final mean return over last {len(recent)} episodes: {np.mean(recent):.1f}")


if __name__ == "__main__":
    main()
