# Few-shot adaptation across subjects (MAML). Every subject has 30 measured
# points; we adapt on 10 of them and score on the remaining 20.
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


@dataclass
class Config:
    path: str = "subjects.npz"
    n_test: int = 60
    shots: int = 10
    inner_lr: float = 0.02
    inner_steps: int = 3
    tasks_per_step: int = 20
    meta_lr: float = 2e-3
    meta_steps: int = 1200
    seed: int = 0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 48)
        self.l2 = nn.Linear(48, 48)
        self.l3 = nn.Linear(48, 1)

    def forward(self, t):
        h = torch.tanh(self.l1(t.unsqueeze(-1)))
        h = F.silu(self.l2(h))
        return self.l3(h).squeeze(-1)


cfg = Config()
torch.manual_seed(cfg.seed)
rng = np.random.default_rng(cfg.seed)
raw = np.load(cfg.path)
T, Y = torch.from_numpy(raw["t"]), torch.from_numpy(raw["y"])
train_ids = np.arange(len(T) - cfg.n_test)
test_ids = np.arange(len(T) - cfg.n_test, len(T))

net = Net()
params = {k: v for k, v in net.named_parameters()}
opt = torch.optim.Adam(params.values(), lr=cfg.meta_lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.meta_steps)


def task_loss(p, t, y):
    return F.mse_loss(functional_call(net, p, (t,)), y)


def adapt(p, t, y):
    for _ in range(cfg.inner_steps):
        g = grad(task_loss)(p, t, y)
        p = {k: p[k] - cfg.inner_lr * g[k] for k in p}
    return p


def query_loss(p, ts, ys, tq, yq):
    return task_loss(adapt(p, ts, ys), tq, yq)


def episode(ids):
    perm = torch.stack([torch.from_numpy(rng.permutation(T.shape[1])) for _ in ids])
    t, y = T[ids].gather(1, perm), Y[ids].gather(1, perm)
    k = cfg.shots
    return t[:, :k], y[:, :k], t[:, k:], y[:, k:]


batched = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
before = vmap(lambda p, tq, yq: task_loss(p, tq, yq), in_dims=(None, 0, 0))

for step in range(cfg.meta_steps):
    ts, ys, tq, yq = episode(rng.choice(train_ids, cfg.tasks_per_step, replace=False))
    meta_loss = batched(params, ts, ys, tq, yq).mean()
    opt.zero_grad()
    meta_loss.backward()
    opt.step()
    sched.step()
    if step % 120 == 0 or step == cfg.meta_steps - 1:
        ts, ys, tq, yq = episode(test_ids)
        with torch.no_grad():
            zero = before(params, tq, yq).mean().item()
            few = batched(params, ts, ys, tq, yq).mean().item()
        print(f"[{step:5d}] meta-train {meta_loss.item():.4f} | new subjects: "
              f"unadapted {zero:.4f} -> after {cfg.inner_steps} steps {few:.4f}")

print(f"variance of new subjects' readings {Y[test_ids].var().item():.4f}")
