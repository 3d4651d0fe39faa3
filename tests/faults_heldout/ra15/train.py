"""Double DQN on a windy 5x5 grid with a goal and a pit."""
import random
from collections import deque

import torch
from torch import nn

SIZE, GAMMA, LIMIT = 5, 0.95, 30
MOVES = [(0, 1), (1, 0), (0, -1), (-1, 0)]


class Grid:
    goal, pit = (4, 4), (2, 2)

    def reset(self):
        self.p, self.t = (0, random.randint(0, 2)), 0
        return self.obs()

    def obs(self):
        v = torch.zeros(2 * SIZE)
        v[self.p[0]] = v[SIZE + self.p[1]] = 1
        return v

    def step(self, a):
        if random.random() < 0.1:
            a = random.randrange(4)
        self.p = tuple(min(SIZE - 1, max(0, c + m)) for c, m in zip(self.p, MOVES[a]))
        self.t += 1
        if self.p == self.goal:
            return self.obs(), 10.0, True
        if self.p == self.pit:
            return self.obs(), -5.0, True
        return self.obs(), -0.1, self.t >= LIMIT


def qnet():
    return nn.Sequential(nn.Linear(2 * SIZE, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))


def main():
    random.seed(6)
    torch.manual_seed(6)
    env, buf = Grid(), deque(maxlen=5000)
    online, target = qnet(), qnet()
    target.load_state_dict(online.state_dict())
    opt = torch.optim.Adam(online.parameters(), lr=1e-3)
    returns, losses, updates = deque(maxlen=30), deque(maxlen=200), 0
    for ep in range(1, 241):
        s, done, total = env.reset(), False, 0.0
        eps = max(0.05, 1.0 - ep / 120)
        while not done:
            if random.random() < eps:
                a = random.randrange(4)
            else:
                with torch.no_grad():
                    a = online(s).argmax().item()
            s2, r, done = env.step(a)
            buf.append((s, a, r, s2, float(done)))
            s, total = s2, total + r
            if len(buf) < 200:
                continue
            bs, ba, br, bs2, bd = zip(*random.sample(buf, 32))
            bs, bs2 = torch.stack(bs), torch.stack(bs2)
            ba, br, bd = torch.tensor(ba), torch.tensor(br), torch.tensor(bd)
            q = online(bs).gather(1, ba[:, None]).squeeze(1)
            with torch.no_grad():
                pick = online(bs2).argmax(1, keepdim=True)
                tgt = br + GAMMA * (1 - bd) * target(bs2).gather(1, pick).squeeze(1)
            loss = nn.functional.smooth_l1_loss(q, tgt)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
            updates += 1
            if updates % 100 == 0:
                target.load_state_dict(online.state_dict())
        returns.append(total)
        if ep % 20 == 0:
            l = sum(losses) / max(1, len(losses))
            print(f"episode {ep} eps {eps:.2f} return(30) {sum(returns) / len(returns):.2f} td {l:.4f}")


if __name__ == "__main__":
    main()
