import argparse
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from cartpole import VecCartPole


class ActorCritic(nn.Module):
    def __init__(self, obs=4, acts=2, h=64):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, acts))
        self.critic = nn.Sequential(nn.Linear(obs, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))
        nn.init.orthogonal_(self.actor[-1].weight, 0.01)

    def forward(self, obs):
        obs = obs / obs.new_tensor([1.0, 1.5, 0.1, 1.5])
        return Categorical(logits=self.actor(obs)), self.critic(obs).squeeze(-1)


def evaluate(net, episodes=20, seed=999):
    env = VecCartPole(episodes, seed)
    alive, lengths = np.ones(episodes, bool), np.zeros(episodes)
    while alive.any():
        with torch.no_grad():
            act = net(torch.from_numpy(env.observe()))[0].probs.argmax(-1).numpy()
        _, _, fell, timeout, _, length = env.step(act)
        end = alive & (fell | timeout)
        lengths[end] = length[end]
        alive &= ~end
    return lengths.mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=320)
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--horizon", type=int, default=32)
    p.add_argument("--gamma", type=float, default=0.99)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--entropy", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    env, net = VecCartPole(args.envs, args.seed), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, args.updates)
    recent = deque(maxlen=50)
    print(f"untrained greedy return {evaluate(net):.1f}")
    obs = torch.from_numpy(env.observe())
    for u in range(1, args.updates + 1):
        logps, values, entropies, rewards, conts, boots = [], [], [], [], [], []
        for _ in range(args.horizon):
            dist, v = net(obs)
            act = dist.sample()
            nxt, rew, fell, timeout, last, length = env.step(act.numpy())
            logps.append(dist.log_prob(act))
            values.append(v)
            entropies.append(dist.entropy())
            rew = torch.from_numpy(rew)
            if timeout.any():
                # the time limit is not a failure: bootstrap from the state it stopped in
                with torch.no_grad():
                    tail = net(torch.from_numpy(last))[1]
                rew = rew + args.gamma * tail * torch.from_numpy(timeout.astype(np.float32))
            rewards.append(rew)
            conts.append(torch.from_numpy((~(fell | timeout)).astype(np.float32)))
            recent.extend(length[fell | timeout])
            obs = torch.from_numpy(nxt)
        with torch.no_grad():
            nextv, adv, advs = net(obs)[1], torch.zeros(args.envs), []
            for t in reversed(range(args.horizon)):
                delta = rewards[t] + args.gamma * conts[t] * nextv - values[t]
                adv = delta + args.gamma * args.lam * conts[t] * adv
                advs.append(adv)
                nextv = values[t]
            advs = torch.stack(advs[::-1])
        values, logps = torch.stack(values), torch.stack(logps)
        returns = advs + values.detach()
        norm = (advs - advs.mean()) / (advs.std() + 1e-6)
        pg = -(norm * logps).mean()
        vf = nn.functional.smooth_l1_loss(values, returns)
        ent = torch.stack(entropies).mean()
        loss = pg + 0.5 * vf - args.entropy * ent
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        if u % 20 == 0:
            print(f"update {u:4d}  return(last 50) {np.mean(recent):6.1f}  policy {pg.item():+.3f}  value {vf.item():6.2f}"
                  f"  entropy {ent.item():.3f}")
    print(f"greedy return over 20 episodes {evaluate(net):.1f} (limit 200)")


if __name__ == "__main__":
    main()
