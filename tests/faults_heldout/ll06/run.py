"""Point-cloud diffusion: learns the two-moons shape.   python run.py [--set key=value ...]"""
import sys

import numpy as np
import torch
from sklearn.datasets import make_moons

from network import Average, Denoiser
from schedule import Diffusion

CFG = dict(iters=2400, batch=128, lr=2e-3, ema=0.995, diffusion_steps=60, seed=8)


def parse(argv):
    cfg = dict(CFG)
    for a in argv:
        if "=" in a:
            k, v = a.split("=")
            cfg[k] = type(CFG[k])(v)
    return cfg


def moons(n, seed):
    x, _ = make_moons(n, noise=0.05, random_state=seed)
    x = (x - np.array([0.5, 0.25])) / np.array([0.87, 0.5])
    return torch.tensor(x, dtype=torch.float32)


def sliced_w1(a, b, n_dir=64, seed=0):
    g = torch.Generator().manual_seed(seed)
    d = torch.randn(2, n_dir, generator=g)
    d = d / d.norm(dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


def main():
    cfg = parse(sys.argv[1:])
    torch.manual_seed(cfg["seed"])
    train, held = moons(4000, 1), moons(1500, 2)
    diff, net = Diffusion(cfg["diffusion_steps"]), Denoiser()
    ema = Average(net, cfg["ema"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min(1, (i + 1) / 100) * max(0.05, 1 - i / cfg["iters"]))

    print(f"reference distance between two real sets: {sliced_w1(moons(1500, 3), held):.4f}")
    window = []
    for it in range(cfg["iters"]):
        x = train[torch.randint(0, len(train), (cfg["batch"],))]
        loss = diff.loss(net, x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update(net)
        window.append(loss.item())
        if (it + 1) % 300 == 0:
            s = diff.sample(ema.net, 1500, 2, torch.Generator().manual_seed(17))
            print(f"iter {it + 1:5d}  loss {np.mean(window):.4f}  sliced W1 to held-out {sliced_w1(s, held):.4f}")
            window.clear()


if __name__ == "__main__":
    main()
