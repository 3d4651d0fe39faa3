import copy
import random
from collections import deque

import numpy as np
import torch
from torch import nn

from depot import Depot

SEED, EPISODES, GAMMA, BATCH = 4, 650, 0.93, 64
SYNC, LEARN_FROM, EVERY = 200, 500, 2


class Replay:
    def __init__(self, cap, width):
        self.o = np.zeros((cap, width), np.float32)
        self.n = np.zeros((cap, width), np.float32)
        self.a = np.zeros(cap, np.int64)
        self.r = np.zeros(cap, np.float32)
        self.d = np.zeros(cap, np.float32)
        self.cap, self.size, self.at = cap, 0, 0

    def push(self, o, a, r, n, d):
        i = self.at
        self.o[i], self.a[i], self.r[i], self.n[i], self.d[i] = o, a, r, n, d
        self.at = (i + 1) % self.cap
        self.size = min(self.size + 1, self.cap)

    def sample(self, k):
        i = np.random.randint(0, self.size, k)
        return [torch.from_numpy(v[i]) for v in (self.o, self.a, self.r, self.n, self.d)]


class Q(nn.Module):
    def __init__(self, width, actions=4, h=80):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.value = nn.Linear(h, 1)
        self.adv = nn.Linear(h, actions)

    def forward(self, o):
        h = self.body(o)
        a = self.adv(h)
        return self.value(h) + a - a.mean(1, keepdim=True)


@torch.no_grad()
def greedy(q, o, eps):
    if random.random() < eps:
        return random.randrange(4)
    return int(q(torch.from_numpy(o)[None]).argmax())


def play(q, episodes, eps, seed):
    env, out, done_n = Depot(np.random.default_rng(seed)), [], 0
    for _ in range(episodes):
        o, total = env.reset(), 0.0
        while True:
            o, r, done, cut = env.step(greedy(q, o, eps))
            total += r
            if done or cut:
                done_n += done
                break
        out.append(total)
    return float(np.mean(out)), done_n / episodes


def main():
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    env = Depot(np.random.default_rng(SEED))
    q = Q(100)
    target = copy.deepcopy(q).eval()
    opt = torch.optim.Adam(q.parameters(), lr=2e-3)
    decay = torch.optim.lr_scheduler.LambdaLR(opt, lambda ep: 1 - 0.9 * min(1, ep / EPISODES))
    memory = Replay(15000, 100)
    print("random walk: return %.2f, delivered %.2f" % play(q, 60, 1.0, 5))
    recent, losses, frames = deque(maxlen=60), deque(maxlen=300), 0
    for ep in range(1, EPISODES + 1):
        eps = max(0.08, 1 - ep / 200)
        o, ret = env.reset(), 0.0
        while True:
            a = greedy(q, o, eps)
            n, r, done, cut = env.step(a)
            memory.push(o, a, r, n, done)
            o, ret, frames = n, ret + r, frames + 1
            if memory.size >= LEARN_FROM and frames % EVERY == 0:
                bo, ba, br, bn, bd = memory.sample(BATCH)
                with torch.no_grad():
                    best = q(bn).argmax(1, keepdim=True)
                    goal = br + GAMMA * (1 - bd) * target(bn).gather(1, best).squeeze(1)
                loss = nn.functional.smooth_l1_loss(q(bo).gather(1, ba[:, None]).squeeze(1), goal)
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(q.parameters(), 10)
                opt.step()
                losses.append(loss.item())
            if frames % SYNC == 0:
                target.load_state_dict(q.state_dict())
            if done or cut:
                break
        if losses:
            decay.step()
        recent.append(ret)
        if ep % 65 == 0:
            td = np.mean(losses) if losses else float("nan")
            ev = play(q, 20, 0.02, 1000 + ep)
            print(f"episode {ep:4d}  frames {frames:6d}  eps {eps:.2f}  td {td:.4f}  return {np.mean(recent):+.2f}  greedy {ev[0]:+.2f} delivered {ev[1]:.2f}")
    print("final: return %.2f, delivered %.2f" % play(q, 100, 0.0, 6))


if __name__ == "__main__":
    main()
