"""Day-ahead quantiles of hourly load; a small ensemble trained in one vmapped pass."""
import copy

import numpy as np
import torch
from torch import nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap

QS = torch.tensor([0.1, 0.5, 0.9])
MEMBERS, STEPS, BATCH = 4, 1600, 128
LOW, HIGH, HALF = 2e-4, 3e-3, 200


def features():
    s = np.load("series.npy").astype(np.float64)
    load, temp = s[:, 0], s[:, 1]
    t = np.arange(len(s))
    first = 24 * 7
    h = t % 24
    cols = [load[first - 24:-24], load[first - 25:-25], load[first - 48:-48], load[first - 168:-168],
            temp[first:], np.abs(temp[first:])]
    cols += [f(2 * np.pi * k * h[first:] / 24) for k in (1, 2, 3) for f in (np.sin, np.cos)]
    cols += [((t[first:] // 24) % 7 == d) * 1.0 for d in range(7)]
    return np.stack(cols, 1), load[first:]


def pinball(pred, y):
    e = y[:, None] - pred
    return torch.maximum(QS * e, (QS - 1) * e).mean()


def rate(step):
    """Triangle between LOW and HIGH; every cycle halves its height."""
    cycle, pos = divmod(step, 2 * HALF)
    frac = 1 - abs(pos / HALF - 1)
    return LOW + (HIGH - LOW) * frac * 0.5 ** cycle


def main():
    torch.manual_seed(40)
    x, y = features()
    a, b = int(0.7 * len(x)), int(0.7 * len(x)) + 48
    mx, sx, my, sy = x[:a].mean(0), x[:a].std(0), y[:a].mean(), y[:a].std()
    x = torch.tensor((x - mx) / sx, dtype=torch.float32)
    y = torch.tensor((y - my) / sy, dtype=torch.float32)
    xt, yt, xv, yv = x[:a], y[:a], x[b:], y[b:]

    nets = [nn.Sequential(nn.Linear(x.shape[1], 48), nn.Tanh(), nn.Linear(48, 3)) for _ in range(MEMBERS)]
    params, buffers = stack_module_state(nets)
    skeleton = copy.deepcopy(nets[0]).to("meta")

    def objective(p, bf, xb, yb):
        return pinball(functional_call(skeleton, (p, bf), (xb,)), yb)

    step_fn = vmap(grad_and_value(objective))
    params = {k: v.detach() for k, v in params.items()}
    m = {k: torch.zeros_like(v) for k, v in params.items()}
    s = {k: torch.zeros_like(v) for k, v in params.items()}

    def report(step, tl):
        with torch.no_grad():
            out = vmap(lambda p, bf: functional_call(skeleton, (p, bf), (xv,)))(params, buffers)
            single = torch.stack([pinball(o, yv) for o in out]).mean().item()
            mean = out.mean(0)
            cover = ((yv > mean[:, 0]) & (yv < mean[:, 2])).float().mean().item()
        print(f"step {step:4d} rate {rate(step):.5f} pinball {tl:.4f} | later weeks: members {single:.4f} "
              f"ensemble {pinball(mean, yv).item():.4f} 80% band covers {cover:.3f}")

    for step in range(STEPS):
        idx = torch.randint(len(xt), (MEMBERS, BATCH))
        g, val = step_fn(params, buffers, xt[idx], yt[idx])
        lr = rate(step)
        for k in params:
            m[k].mul_(0.9).add_(g[k], alpha=0.1)
            s[k].mul_(0.999).addcmul_(g[k], g[k], value=0.001)
            mh, sh = m[k] / (1 - 0.9 ** (step + 1)), s[k] / (1 - 0.999 ** (step + 1))
            params[k] = params[k] - lr * mh / (sh.sqrt() + 1e-8)
        if step % 100 == 0 or step == STEPS - 1:
            report(step, val.mean().item())


if __name__ == "__main__":
    main()
