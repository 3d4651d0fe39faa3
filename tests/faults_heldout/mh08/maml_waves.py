"""Model-agnostic meta-learning on random sine waves, written with torch.func."""
import math

import torch
from torch.func import grad, vmap

SHOTS, QUERY = 10, 10
META_BATCH = 16
ITERATIONS = 1000
INNER_STEPS = 2
META_LR = 2.5e-3
RATE_LR = 1e-2


def init_params(sizes, g):
    params = {}
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        gain = 2.0 if i < len(sizes) - 2 else 0.3
        params[f"w{i}"] = torch.randn(a, b, generator=g) * math.sqrt(gain / a)
        params[f"b{i}"] = torch.zeros(b)
    return params


def net(params, x):
    depth = len(params) // 2
    for i in range(depth):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        if i < depth - 1:
            x = torch.relu(x)
    return x


def mse(params, x, y):
    return ((net(params, x) - y) ** 2).mean()


def adapt(meta, x, y, steps=INNER_STEPS):
    params = meta["net"]
    for _ in range(steps):
        g = grad(mse)(params, x, y)
        params = {k: params[k] - meta["rate"][k].exp() * g[k] for k in params}
    return params


def query_loss(meta, xs, ys, xq, yq):
    return mse(adapt(meta, xs, ys), xq, yq)


def tasks(n, g):
    amp = torch.rand(n, 1, 1, generator=g) * 2.0 + 0.5
    phase = torch.rand(n, 1, 1, generator=g) * math.pi
    x = (torch.rand(n, SHOTS + QUERY, 1, generator=g) * 2 - 1) * 3.0
    y = amp * torch.sin(x + phase)
    x = x / 1.5
    return x[:, :SHOTS], y[:, :SHOTS], x[:, SHOTS:], y[:, SHOTS:]


def main():
    g = torch.Generator().manual_seed(12)
    weights = init_params([1, 64, 64, 1], g)
    meta = {"net": weights, "rate": {k: torch.tensor(math.log(0.01)) for k in weights}}
    for group in meta.values():
        for v in group.values():
            v.requires_grad_(True)
    flat = [v for group in meta.values() for v in group.values()]
    opt = torch.optim.Adam([{"params": list(meta["net"].values())}, {"params": list(meta["rate"].values())}], lr=META_LR)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, [META_LR, RATE_LR], total_steps=ITERATIONS, pct_start=0.1)

    batched = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
    before = vmap(lambda m, xs, ys, xq, yq: mse(m["net"], xq, yq), in_dims=(None, 0, 0, 0, 0))
    held_out = tasks(300, torch.Generator().manual_seed(900))

    running = 0.0
    for it in range(1, ITERATIONS + 1):
        loss = batched(meta, *tasks(META_BATCH, g)).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flat, 5.0)
        opt.step()
        sched.step()
        running += loss.item()
        if it % 100 == 0:
            with torch.no_grad():
                pre, post = before(meta, *held_out).mean(), batched(meta, *held_out).mean()
            print(f"iter {it:5d}  query loss {running / 100:.4f}  new tasks: before {pre:.3f}  adapted {post:.4f}")
            running = 0.0


if __name__ == "__main__":
    main()
