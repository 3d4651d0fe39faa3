import copy
import random

import torch
from torch import nn

from world import Maze

GAMMA, BATCH, LR, STEPS, SYNC = 0.97, 64, 1e-3, 5000, 100
random.seed(2)
torch.manual_seed(2)
env, trial = Maze(seed=1), Maze(seed=99)


class Q(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.place = nn.Embedding(n, 32)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, s):
        return self.head(self.place(s))


online = Q(env.n)
target = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.Adam(online.parameters(), lr=LR)
memory, returns, losses = [], [], []


def play(episodes=20):
    """Average return and length of the greedy policy from the usual start."""
    score = length = 0.0
    with torch.no_grad():
        greedy = online(torch.arange(env.n)).argmax(1).tolist()
    for _ in range(episodes):
        s, over, cut = trial.reset(), False, False
        while not (over or cut):
            s, r, over, cut = trial.step(greedy[s])
            score += r
            length += 1
    return score / episodes, length / episodes


state, acc = env.reset(anywhere=True), 0.0
for step in range(1, STEPS + 1):
    eps = max(0.1, 1.0 - step / 2500)
    if random.random() < eps:
        action = random.randrange(4)
    else:
        with torch.no_grad():
            action = int(online(torch.tensor([state])).argmax())
    nxt, reward, over, cut = env.step(action)
    memory.append((state, action, reward, nxt, float(over)))
    acc += reward
    state = nxt
    if over or cut:
        returns.append(acc)
        state, acc = env.reset(anywhere=True), 0.0
    if len(memory) >= 300:
        s, a, r, s2, d = zip(*random.sample(memory, BATCH))
        s, a, s2 = torch.tensor(s), torch.tensor(a), torch.tensor(s2)
        r, d = torch.tensor(r), torch.tensor(d)
        with torch.no_grad():
            best = online(s2).argmax(1, keepdim=True)
            goal = r + GAMMA * (1 - d) * target(s2).gather(1, best)[:, 0]
        loss = nn.functional.smooth_l1_loss(online(s).gather(1, a[:, None])[:, 0], goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    if step % SYNC == 0:
        target.load_state_dict(online.state_dict())
    if step % 500 == 0:
        g, n = play()
        print(f"{step:5d}  td loss {sum(losses[-500:]) / max(1, len(losses[-500:])):.4f}  "
              f"training return {sum(returns[-15:]) / max(1, len(returns[-15:])):6.2f}  greedy return {g:6.2f} in {n:.1f} moves")
