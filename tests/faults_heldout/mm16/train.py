import numpy as np
import torch

from sac import SAC
from world import Reacher1D

CFG = dict(lr=2e-3, gamma=0.95, tau=0.02)
EPISODES, RANDOM, BATCH, EVERY = 60, 6, 128, 2


def evaluate(agent, n=25):
    env, total = Reacher1D(seed=5000), []
    rest = []
    for _ in range(n):
        o, done, g = env.reset(), False, 0.0
        while not done:
            with torch.no_grad():
                a = agent.pi(torch.from_numpy(o))[2].numpy()
            o, r, done = env.step(a[0])
            g += r
        total.append(g)
        rest.append(abs(o[2]))
    return np.mean(total), np.mean(rest)


def main():
    torch.manual_seed(16)
    env = Reacher1D(seed=16)
    agent = SAC(3, 1, **CFG)
    size = EPISODES * env.horizon
    S, S2 = torch.zeros(size, 3), torch.zeros(size, 3)
    U, R, D = torch.zeros(size, 1), torch.zeros(size), torch.zeros(size)
    n = 0
    print("before training: return %.2f, distance at the end %.3f" % evaluate(agent))
    for ep in range(1, EPISODES + 1):
        o, done, ret, stats = env.reset(), False, 0.0, []
        while not done:
            if ep <= RANDOM:
                a = env.rng.uniform(-1, 1, 1).astype(np.float32)
            else:
                with torch.no_grad():
                    a = agent.pi(torch.from_numpy(o))[0].numpy()
            o2, r, done = env.step(a[0])
            S[n], S2[n], U[n], R[n] = torch.from_numpy(o), torch.from_numpy(o2), torch.from_numpy(a), r
            D[n] = 0.0            # the task has no terminal state, the clock only cuts the episode
            o, ret, n = o2, ret + r, n + 1
            if ep > RANDOM and n % EVERY == 0:
                b = torch.randint(n, (BATCH,))
                stats.append(agent.update(S[b], U[b], R[b], S2[b], D[b]))
        if stats and (ep % 6 == 1 or ep == EPISODES):
            q, p, h = np.mean(stats, 0)
            g, dist = evaluate(agent)
            print(f"episode {ep:3d} return {ret:7.2f} q loss {q:.4f} pi loss {p:+.3f} entropy {h:+.2f} "
                  f"alpha {agent.log_alpha.exp().item():.4f} | eval return {g:.2f} distance {dist:.3f}")
    print("after training: return %.2f, distance at the end %.3f" % evaluate(agent))


if __name__ == "__main__":
    main()
