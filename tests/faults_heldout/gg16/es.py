import argparse

import numpy as np
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from cartpole import Swarm


def rollout(vectors, shapes, rng, horizon):
    """vectors (P, dim): one policy per row"""
    env = Swarm(len(vectors), rng)
    parts, at = [], 0
    for shp in shapes:
        n = int(np.prod(shp))
        parts.append(vectors[:, at:at + n].reshape(-1, *shp))
        at += n
    w1, b1, w2, b2 = parts
    total = np.zeros(len(vectors))
    for _ in range(horizon):
        h = np.tanh(np.einsum("pij,pj->pi", w1, env.observe()) + b1)
        total += env.step(np.einsum("pij,pj->pi", w2, h)[:, 0] + b2[:, 0])
        if not env.alive.any():
            break
    return total


def centred_ranks(f):
    r = np.empty(len(f))
    r[f.argsort()] = np.arange(len(f))
    return r / (len(f) - 1) - 0.5


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--generations", type=int, default=60)
    ap.add_argument("--pairs", type=int, default=32)
    ap.add_argument("--sigma", type=float, default=0.15)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--l2", type=float, default=1e-3)
    ap.add_argument("--horizon", type=int, default=300)
    o = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)

    policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    shapes = [tuple(p.shape) for p in policy.parameters()]
    opt = torch.optim.Adam(policy.parameters(), lr=o.lr, betas=(0.9, 0.99))
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=o.generations)

    def skill(seed, n=64):
        v = parameters_to_vector(policy.parameters()).detach().numpy()
        r = rollout(np.tile(v, (n, 1)), shapes, np.random.default_rng(seed), o.horizon)
        return r.mean(), r.std()

    print("untrained policy: return %.1f +- %.1f (max %d)" % (*skill(777), o.horizon))
    for gen in range(1, o.generations + 1):
        centre = parameters_to_vector(policy.parameters()).detach().numpy()
        eps = rng.standard_normal((o.pairs, centre.size))
        eps = np.concatenate([eps, -eps])
        fitness = rollout(centre + o.sigma * eps, shapes, rng, o.horizon)
        direction = centred_ranks(fitness) @ eps / (len(eps) * o.sigma)

        opt.zero_grad()
        penalty = 0.5 * o.l2 * sum(p.square().sum() for p in policy.parameters())
        penalty.backward()
        search = [torch.zeros_like(p) for p in policy.parameters()]
        vector_to_parameters(torch.from_numpy(direction).float(), search)
        for p, s in zip(policy.parameters(), search):
            p.grad.sub_(s)
        opt.step()
        sched.step()
        if gen % 4 == 0:
            m, s = skill(1000 + gen)
            print(f"gen {gen:3d}  population mean {fitness.mean():7.1f} best {fitness.max():6.1f}  centre {m:6.1f} +- {s:.1f}  l2 {penalty.item():.4f}")
    print("final policy: return %.1f +- %.1f" % skill(778, 200))


if __name__ == "__main__":
    main()
