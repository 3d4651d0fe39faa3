import configparser
import copy
import random
import sys

import torch
from torch import nn

DIRS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Ring:
    """Fixed-size transition store on preallocated tensors."""

    def __init__(self, cap, dim):
        self.s = torch.zeros(cap, dim)
        self.s2 = torch.zeros(cap, dim)
        self.a = torch.zeros(cap, dtype=torch.long)
        self.r = torch.zeros(cap)
        self.d = torch.zeros(cap)
        self.cap, self.n, self.i = cap, 0, 0

    def push(self, s, a, r, s2, d):
        j = self.i
        self.s[j], self.a[j], self.r[j], self.s2[j], self.d[j] = s, a, r, s2, float(d)
        self.i = (j + 1) % self.cap
        self.n = min(self.n + 1, self.cap)

    def draw(self, k):
        idx = torch.randint(0, self.n, (k,))
        return self.s[idx], self.a[idx], self.r[idx], self.s2[idx], self.d[idx]


class Grid:
    def __init__(self, c, rng):
        self.n = c.getint("size")
        self.pits = {int(v) for v in c["pits"].split(",")}
        self.goal = c.getint("goal")
        self.slip = c.getfloat("slip")
        self.max_steps = c.getint("max_steps")
        self.rng = rng
        self.start_cells = [k for k in range(self.n ** 2) if k not in self.pits and k != self.goal]

    def encode(self):
        v = torch.zeros(2 * self.n)
        v[self.pos // self.n] = 1.0
        v[self.n + self.pos % self.n] = 1.0
        return v

    def reset(self, cell=None):
        self.pos = self.rng.choice(self.start_cells) if cell is None else cell
        self.t = 0
        return self.encode()

    def step(self, a):
        if self.rng.random() < self.slip:
            a = self.rng.randrange(4)
        r, c = divmod(self.pos, self.n)
        r = min(max(r + DIRS[a][0], 0), self.n - 1)
        c = min(max(c + DIRS[a][1], 0), self.n - 1)
        self.pos = r * self.n + c
        self.t += 1
        if self.pos == self.goal:
            return self.encode(), 1.0, True, True
        if self.pos in self.pits:
            return self.encode(), -1.0, True, True
        return self.encode(), -0.01, False, self.t >= self.max_steps


def main(path):
    cp = configparser.ConfigParser()
    cp.read(path)
    A, R = cp["agent"], cp["run"]
    seed = R.getint("seed")
    torch.manual_seed(seed)
    env, trial = Grid(cp["env"], random.Random(seed)), Grid(cp["env"], random.Random(seed + 1))
    dim, hid = 2 * env.n, A.getint("hidden")
    q = nn.Sequential(nn.Linear(dim, hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU(), nn.Linear(hid, 4))
    target = copy.deepcopy(q).requires_grad_(False)
    opt = torch.optim.Adam(q.parameters(), lr=A.getfloat("lr"))
    buf = Ring(A.getint("capacity"), dim)
    gamma, rng = A.getfloat("gamma"), random.Random(seed + 2)
    e0, e1, es = A.getfloat("eps_start"), A.getfloat("eps_end"), A.getint("eps_steps")

    lr0, lr1, tau = A.getfloat("lr"), A.getfloat("lr_final"), A.getfloat("tau")
    total = R.getint("env_steps")

    @torch.no_grad()
    def score():
        wins = steps = 0
        for cell in trial.start_cells * 3:
            s, over = trial.reset(cell), False
            while not over:
                s, r, _, over = trial.step(int(q(s).argmax()))
            wins += r == 1.0
            steps += trial.t
        k = 3 * len(trial.start_cells)
        return wins / k, steps / k

    s, acc, cnt = env.reset(), 0.0, 0
    for step in range(1, total + 1):
        eps = max(e1, e0 + (e1 - e0) * step / es)
        with torch.no_grad():
            a = rng.randrange(4) if rng.random() < eps else int(q(s).argmax())
        s2, r, terminal, over = env.step(a)
        buf.push(s, a, r, s2, terminal)
        s = env.reset() if over else s2

        if buf.n >= A.getint("warm_start"):
            for g in opt.param_groups:
                g["lr"] = lr0 + (lr1 - lr0) * step / total
            bs, ba, br, bs2, bd = buf.draw(A.getint("batch"))
            with torch.no_grad():
                best = q(bs2).argmax(1, keepdim=True)
                y = br + gamma * (1 - bd) * target(bs2).gather(1, best).squeeze(1)
            pred = q(bs).gather(1, ba.unsqueeze(1)).squeeze(1)
            loss = nn.functional.smooth_l1_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(q.parameters(), 1.0)
            opt.step()
            with torch.no_grad():
                for pt, p in zip(target.parameters(), q.parameters()):
                    pt.lerp_(p, tau)
            acc, cnt = acc + loss.item(), cnt + 1
        if step % R.getint("report_every") == 0:
            w, l = score()
            print(f"step {step:6d} eps {eps:.2f} td-loss {acc / max(cnt, 1):.5f} reached goal {w:.2%} mean length {l:.1f}", flush=True)
            acc = cnt = 0


main(sys.argv[1] if len(sys.argv) > 1 else "settings.ini")
