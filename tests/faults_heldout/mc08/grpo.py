import argparse

import torch

from env import ClockTask
from policy import Policy

ap = argparse.ArgumentParser()
ap.add_argument("--iters", type=int, default=900)
ap.add_argument("--prompts", type=int, default=48)
ap.add_argument("--group", type=int, default=16)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--entropy", type=float, default=0.04)


def group_advantage(rewards):
    """Rewards [prompts, group] -> how much better than the other answers to the same prompt."""
    mu = rewards.mean(dim=1, keepdim=True)
    sd = rewards.std(dim=1, keepdim=True)
    return (rewards - mu) / sd


def main():
    args = ap.parse_args()
    torch.manual_seed(12)
    task = ClockTask()
    policy = Policy(task.n)
    opt = torch.optim.Adam(policy.parameters(), lr=args.lr)
    allp = torch.cartesian_prod(torch.arange(task.n), torch.arange(task.n))

    for it in range(1, args.iters + 1):
        prompts = task.prompts(args.prompts)
        logp = policy(prompts)
        with torch.no_grad():
            u = torch.rand(args.prompts, args.group, task.n).clamp_(1e-9, 1 - 1e-7)
            actions = (logp[:, None] - (-u.log()).log()).argmax(-1)
            rewards = task.reward(prompts, actions)
            adv = group_advantage(rewards)
        pg = -(adv * logp.gather(1, actions)).mean()
        ent = -(logp.exp() * logp).sum(-1).mean()
        loss = pg - args.entropy * ent
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            with torch.no_grad():
                best = policy(allp).argmax(-1, keepdim=True)
                exact = (task.reward(allp, best) == 1).float().mean().item()
            print(f"iter {it:4d} reward {rewards.mean().item():.3f} loss {loss.item():+.4f} "
                  f"entropy {ent.item():.3f} exact {exact:.3f}")


if __name__ == "__main__":
    main()
