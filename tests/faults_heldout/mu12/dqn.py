# DQN with replay memory and a target network on a small cart-pole.
import copy
import math
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class CartPole:
    limit = 200

    def reset(self):
        self.s = [random.uniform(-0.05, 0.05) for _ in range(4)]
        self.t = 0
        return list(self.s)

    def step(self, action):
        x, v, th, w = self.s
        force = 10.0 if action == 1 else -10.0
        c, s = math.cos(th), math.sin(th)
        tmp = (force + 0.05 * w * w * s) / 1.1
        acc = (9.8 * s - c * tmp) / (0.5 * (4.0 / 3.0 - 0.1 * c * c / 1.1))
        xacc = tmp - 0.05 * acc * c / 1.1
        dt = 0.02
        self.s = [x + dt * v, v + dt * xacc, th + dt * w, w + dt * acc]
        self.t += 1
        failed = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.2095
        return list(self.s), 1.0, failed, self.t >= self.limit


SEED = 3
random.seed(SEED)
torch.manual_seed(SEED)

GAMMA, BATCH, START, TAU = 0.98, 64, 500, 0.005
q = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
target = copy.deepcopy(q)
for p in target.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.Adam(q.parameters(), lr=5e-4)
memory = deque(maxlen=20000)


def act(state, eps):
    if random.random() < eps:
        return random.randrange(2)
    with torch.no_grad():
        return q(torch.tensor(state)).argmax().item()


def learn():
    batch = random.sample(memory, BATCH)
    s, a, r, s2, end = (torch.tensor(col) for col in zip(*batch))
    value = q(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        best = q(s2).argmax(1, keepdim=True)
        nxt = target(s2).gather(1, best).squeeze(1)
        goal = r + GAMMA * (1 - end) * nxt
    loss = F.smooth_l1_loss(value, goal)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(q.parameters(), 10.0)
    optimizer.step()
    return loss.item()


def greedy_return(n=5):
    total = 0.0
    for _ in range(n):
        env = CartPole()
        s, over = env.reset(), False
        while not over:
            s, r, failed, timeout = env.step(act(s, 0.0))
            total += r
            over = failed or timeout
    return total / n


env = CartPole()
state = env.reset()
episode, returns, losses = 0.0, deque(maxlen=20), deque(maxlen=500)
for step in range(1, 8001):
    eps = max(0.05, 1.0 - step / 3000)
    a = act(state, eps)
    nxt, r, failed, timeout = env.step(a)
    memory.append((state, a, r, nxt, float(failed)))
    episode += r
    state = nxt
    if failed or timeout:
        returns.append(episode)
        state, episode = env.reset(), 0.0
    if len(memory) >= START:
        losses.append(learn())
        with torch.no_grad():
            for pt, pq in zip(target.parameters(), q.parameters()):
                pt.lerp_(pq, TAU)
    if step % 1000 == 0:
        print(f"step {step:5d}  eps {eps:.2f}  td loss {sum(losses) / max(len(losses), 1):.4f}  "
              f"return(20) {sum(returns) / max(len(returns), 1):6.1f}  greedy {greedy_return():6.1f}")
