"""REINFORCE with a learned baseline on a small vectorised pole-balancing task."""
import argparse
import copy

import torch
from torch import nn


class PoleEnv:
    """Batch of inverted pendulums on a cart, Euler integrated (no gym needed)."""

    def __init__(self, n, horizon=100):
        self.n, self.horizon = n, horizon

    def reset(self):
        self.s = (torch.rand(self.n, 4) - 0.5) * 0.1
        self.alive = torch.ones(self.n, dtype=torch.bool)
        return self.s.clone()

    def step(self, a):
        x, xd, th, thd = self.s.unbind(1)
        force = torch.where(a > 0, 10.0, -10.0)
        cos, sin = th.cos(), th.sin()
        tmp = (force + 0.05 * thd ** 2 * sin) / 1.1
        thacc = (9.8 * sin - cos * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * cos ** 2 / 1.1))
        xacc = tmp - 0.05 * thacc * cos / 1.1
        dt = 0.02
        self.s = torch.stack([x + dt * xd, xd + dt * xacc, th + dt * thd, thd + dt * thacc], 1)
        reward = self.alive.float()
        self.alive = self.alive & (self.s[:, 0].abs() < 2.4) & (self.s[:, 2].abs() < 0.21)
        return self.s.clone(), reward, self.alive.clone()


class ActorCritic(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, width), nn.Tanh())
        self.pi = nn.Linear(width, 2)
        self.v = nn.Linear(width, 1)

    def forward(self, s):
        h = self.body(s * torch.tensor([0.5, 0.5, 5.0, 0.5]))
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class PlateauStopper:
    """Keeps the best weights and says when `patience` checks went by without progress."""

    def __init__(self, patience, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.state, self.stale = None, None, 0

    def check(self, value, model):
        if self.best is None or value < self.best - self.min_delta:
            self.best, self.stale = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.stale += 1
        return self.stale >= self.patience


def rollout(env, model):
    s, logps, values, rewards, ents = env.reset(), [], [], [], []
    alive = torch.ones(env.n, dtype=torch.bool)
    for _ in range(env.horizon):
        dist, v = model(s)
        a = dist.sample()
        logps.append(dist.log_prob(a) * alive)
        values.append(v)
        ents.append(dist.entropy() * alive)
        s, r, alive = env.step(a)
        rewards.append(r)
        if not alive.any():
            break
    return torch.stack(logps), torch.stack(values), torch.stack(rewards), torch.stack(ents)


def returns_to_go(r, gamma):
    out, g = torch.zeros_like(r), torch.zeros(r.shape[1])
    for t in reversed(range(len(r))):
        g = r[t] + gamma * g
        out[t] = g
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=250)
    ap.add_argument("--envs", type=int, default=24)
    ap.add_argument("--gamma", type=float, default=0.98)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--patience", type=int, default=60)
    ap.add_argument("--seed", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    env, model = PoleEnv(args.envs), ActorCritic()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    stopper = PlateauStopper(patience=args.patience)
    for update in range(1, args.updates + 1):
        logp, v, r, ent = rollout(env, model)
        mask = r > 0
        ret = returns_to_go(r, args.gamma)
        adv = (ret - v.detach())[mask]
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        policy_loss = -(logp[mask] * adv).mean()
        value_loss = 0.5 * ((v - ret)[mask] / 10.0).pow(2).mean()
        loss = policy_loss + value_loss - 0.005 * ent[mask].mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

        episode_return = r.sum(0).mean().item()
        if update % 10 == 0:
            print(f"update {update:4d}  mean return {episode_return:6.1f}  best {stopper.best:.1f}  entropy {ent[mask].mean():.3f}")
        if stopper.check(episode_return, model):
            print(f"no progress for {args.patience} updates, stopping at update {update}")
            break

    model.load_state_dict(stopper.state)
    with torch.no_grad():
        test = PoleEnv(200)
        _, _, r, _ = rollout(test, model)
    print(f"final policy: mean return {r.sum(0).mean():.1f} / {test.horizon}")


if __name__ == "__main__":
    main()
