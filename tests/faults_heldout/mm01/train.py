import argparse

import numpy as np
import torch

from agent import ActorCritic
from cartpole import VecCartPole


def collect(env, net, obs, steps, gamma, lam):
    n = env.n
    O = torch.zeros(steps, n, 4)
    A = torch.zeros(steps, n, dtype=torch.long)
    LP, R, V, NV = (torch.zeros(steps, n) for _ in range(4))
    cut = torch.zeros(steps, n)       # episode ended at this step, for any reason
    term = torch.zeros(steps, n)      # real failure: no bootstrapping
    lengths = []
    with torch.no_grad():
        for t in range(steps):
            x = torch.from_numpy(obs)
            d = net.dist(x)
            a = d.sample()
            O[t], A[t], LP[t], V[t] = x, a, d.log_prob(a), net.value(x)
            obs, r, fell, timeout, final, ls = env.step(a.numpy())
            NV[t] = net.value(torch.from_numpy(final))
            R[t] = torch.from_numpy(r)
            term[t] = torch.from_numpy(fell.astype(np.float32))
            cut[t] = torch.from_numpy((fell | timeout).astype(np.float32))
            lengths += ls.tolist()
    adv = torch.zeros(steps, n)
    run = torch.zeros(n)
    for t in reversed(range(steps)):
        delta = R[t] + gamma * NV[t] * (1 - term[t]) - V[t]
        run = delta + gamma * lam * (1 - cut[t]) * run
        adv[t] = run
    flat = lambda z: z.reshape(-1, *z.shape[2:])
    return obs, [flat(z) for z in (O, A, LP, adv, adv + V, V)], lengths


def evaluate(net, episodes=16):
    env = VecCartPole(episodes, seed=999)
    obs, alive, total = env.reset(), np.ones(episodes, bool), np.zeros(episodes)
    net.eval()
    with torch.no_grad():
        for _ in range(env.horizon):
            a = net.pi(torch.from_numpy(obs)).argmax(-1).numpy()
            obs, r, fell, timeout, _, _ = env.step(a)
            total += r * alive
            alive &= ~(fell | timeout)
    net.train()
    return total.mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=26)
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--steps", type=int, default=128)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--minibatch", type=int, default=256)
    p.add_argument("--lr", type=float, default=1.5e-3)
    p.add_argument("--gamma", type=float, default=0.99)
    p.add_argument("--lam", type=float, default=0.95)
    p.add_argument("--clip", type=float, default=0.2)
    p.add_argument("--ent", type=float, default=0.01)
    args = p.parse_args()

    torch.manual_seed(3)
    env = VecCartPole(args.envs, seed=3)
    net = ActorCritic(4, 2)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda u: 1 - u / args.updates)
    obs = env.reset()
    recent = []
    for u in range(1, args.updates + 1):
        obs, (O, A, LP, ADV, RET, V), ls = collect(env, net, obs, args.steps, args.gamma, args.lam)
        recent = (recent + ls)[-60:]
        pl = vl = kl = 0.0
        k = 0
        for _ in range(args.epochs):
            perm = torch.randperm(len(O))
            for i in range(0, len(O), args.minibatch):
                b = perm[i:i + args.minibatch]
                d = net.dist(O[b])
                lp = d.log_prob(A[b])
                ratio = (lp - LP[b]).exp()
                adv = ADV[b]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                policy = -torch.min(ratio * adv, ratio.clamp(1 - args.clip, 1 + args.clip) * adv).mean()
                value = 0.5 * (net.value(O[b]) - RET[b]).pow(2).mean()
                loss = policy + 0.5 * value - args.ent * d.entropy().mean()
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
                opt.step()
                pl += policy.item(); vl += value.item(); k += 1
                kl += (LP[b] - lp).mean().item()
        sched.step()
        if u % 3 == 0 or u == 1:
            print(f"update {u:3d} len {np.mean(recent) if recent else float('nan'):6.1f} "
                  f"policy {pl/k:+.4f} value {vl/k:8.3f} kl {kl/k:.4f} greedy {evaluate(net):.1f}")
    print(f"final greedy return {evaluate(net):.1f} / 200")


if __name__ == "__main__":
    main()
