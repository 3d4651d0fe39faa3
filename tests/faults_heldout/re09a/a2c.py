import argparse

import torch
from torch import nn
from torch.distributions import Categorical

from warehouse import Warehouse


class ActorCritic(nn.Module):
    def __init__(self, obs, actions, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.pi.weight, 0.01)
        nn.init.zeros_(self.pi.bias)

    def forward(self, o):
        h = self.trunk(o)
        return Categorical(logits=self.pi(h), validate_args=False), self.v(h).squeeze(-1)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--robots", type=int, default=128)
    p.add_argument("--rollout", type=int, default=12)
    p.add_argument("--updates", type=int, default=600)
    p.add_argument("--gamma", type=float, default=0.97)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--value-coef", type=float, default=0.5)
    p.add_argument("--entropy-coef", type=float, default=0.02)
    p.add_argument("--seed", type=int, default=2)
    return p.parse_args()


def evaluate(net, seed, steps=200):
    env = Warehouse(200, torch.Generator().manual_seed(seed))
    torch.manual_seed(seed)
    total, episodes, success = 0.0, 0, 0
    net.eval()
    with torch.no_grad():
        for _ in range(steps):
            reward, over, arrived = env.step(net(env.observe())[0].sample())
            total += reward.sum().item()
            episodes += int(over.sum())
            success += int(arrived.sum())
    net.train()
    return total / episodes, success / episodes


def main():
    a = parse()
    torch.manual_seed(a.seed)
    env = Warehouse(a.robots, torch.Generator().manual_seed(a.seed))
    net = ActorCritic(2 * 25, 4)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    lr_at = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=a.updates)

    for u in range(1, a.updates + 1):
        logp, ent, val, rew, done = [], [], [], [], []
        for _ in range(a.rollout):
            dist, v = net(env.observe())
            act = dist.sample()
            r, over, _ = env.step(act)
            logp.append(dist.log_prob(act))
            ent.append(dist.entropy())
            val.append(v)
            rew.append(r)
            done.append(over.float())
        with torch.no_grad():
            nxt = net(env.observe())[1]
            adv, run = [None] * a.rollout, torch.zeros(a.robots)
            for t in reversed(range(a.rollout)):
                alive = 1 - done[t]
                delta = rew[t] + a.gamma * alive * nxt - val[t]
                run = delta + a.gamma * a.lam * alive * run
                adv[t], nxt = run, val[t]
            adv = torch.stack(adv)
            target = adv + torch.stack(val)

        policy_loss = -(torch.stack(logp) * adv).mean()
        value_loss = (torch.stack(val) - target).square().mean()
        entropy = torch.stack(ent).mean()
        loss = policy_loss + a.value_coef * value_loss - a.entropy_coef * entropy

        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        lr_at.step()

        if u % 100 == 0:
            print(
                f"update {u}: loss {loss.item():+.4f} (policy {policy_loss.item():+.4f} value {value_loss.item():.4f} "
                f"entropy {entropy.item():.3f})  mean reward {torch.stack(rew).mean().item():+.4f}"
            )
    ret, ok = evaluate(net, seed=900)
    print(f"evaluation: return {ret:+.3f}, arrived {ok:.1%}")


if __name__ == "__main__":
    main()
