import argparse

import torch

from rl.env import CartPoles
from rl.ppo import SCALE, ActorCritic, collect, update


@torch.no_grad()
def greedy_return(net, n=32, limit=250):
    env = CartPoles(n, limit, seed=123)
    alive, total = torch.ones(n, dtype=torch.bool), torch.zeros(n)
    for _ in range(limit):
        _, r, _, done, _ = env.step(net.dist(env.s * SCALE).probs.argmax(1))
        total += r * alive
        alive &= ~done
    return total.mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=30)
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--horizon", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=3)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    env = CartPoles(a.envs, seed=a.seed)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr, eps=1e-5)
    recent = []
    for it in range(a.iterations):
        for g in opt.param_groups:
            g["lr"] = a.lr * (1 - it / a.iterations)
        batch, lengths = collect(net, env, a.horizon, gamma=0.98, lam=0.95)
        pg, vf, ent = update(net, opt, batch, epochs=5, minibatch=256, clip=0.2, ent_coef=0.005)
        recent = (recent + lengths)[-40:]
        mean = sum(recent) / max(len(recent), 1)
        if it % 3 == 2:
            print(f"iter {it + 1:2d}  episode length {mean:6.1f}  policy {pg:+.4f}  value {vf:8.3f}  entropy {ent:.3f}")
    print(f"greedy policy: mean return {greedy_return(net):.1f} of 250")


if __name__ == "__main__":
    main()
