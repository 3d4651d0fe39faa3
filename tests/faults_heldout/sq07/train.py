"""Fast adaptation of a probe calibration curve: a start point is learned such that five
gradient steps on ten readings of a new probe give its curve."""
import os
import numpy as np
import torch

SEED = 13
META_BATCH = 20
INNER_LR = 0.06
INNER_STEPS = 5
SHOTS = 10
ITERATIONS = 900

torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)
z = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "probes.npz"))
X, Y = torch.from_numpy(z["x"] / 2).unsqueeze(-1), torch.from_numpy(z["y"]).unsqueeze(-1)   # (probe, reading, 1)
train_probes, new_probes = np.arange(340), np.arange(340, len(X))


def init(sizes=(1, 40, 40, 1)):
    params = []
    for a, b in zip(sizes, sizes[1:]):
        params.append((torch.randn(a, b) * (1.0 / a) ** 0.5).requires_grad_())
        params.append(torch.zeros(1, b).requires_grad_())
    return params


def forward(params, x):
    """x (probes, readings, 1); every probe may have its own copy of the weights"""
    h = x
    for k in range(0, len(params), 2):
        h = h @ params[k] + params[k + 1]
        if k + 2 < len(params):
            h = torch.tanh(h)
    return h


def adapt(params, x, y, create_graph):
    fast = [p.expand(len(x), *p.shape) for p in params]
    for _ in range(INNER_STEPS):
        # sum over probes: their copies are independent, so each gets the gradient of its own mean
        loss = ((forward(fast, x) - y) ** 2).mean(dim=(1, 2)).sum()
        grads = torch.autograd.grad(loss, fast, create_graph=create_graph)
        fast = [w - INNER_LR * g for w, g in zip(fast, grads)]
    return fast


def split(probes):
    s, q = [], []
    for p in probes:
        order = rng.permutation(X.shape[1])
        s.append((X[p, order[:SHOTS]], Y[p, order[:SHOTS]]))
        q.append((X[p, order[SHOTS:]], Y[p, order[SHOTS:]]))
    return [torch.stack(t) for t in zip(*s)], [torch.stack(t) for t in zip(*q)]


meta = init()
opt = torch.optim.Adam(meta, lr=3e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=600, gamma=0.3)
(test_xs, test_ys), (test_xq, test_yq) = split(new_probes)
running = []

for it in range(1, ITERATIONS + 1):
    (xs, ys), (xq, yq) = split(rng.choice(train_probes, META_BATCH, replace=False))
    fast = adapt(meta, xs, ys, create_graph=True)
    outer = ((forward(fast, xq) - yq) ** 2).mean()
    opt.zero_grad()
    outer.backward()
    torch.nn.utils.clip_grad_norm_(meta, 10.0)
    opt.step()
    sched.step()
    running.append(outer.item())
    if it % 75 == 0:
        before = ((forward(meta, test_xq) - test_yq) ** 2).mean().item()
        after = ((forward(adapt(meta, test_xs, test_ys, False), test_xq) - test_yq) ** 2).mean().item()
        print(f"iter {it:4d}  query mse {np.mean(running):.4f}  new probes: before {before:.3f}  after adaptation {after:.4f}")
        running = []
