"""DDPM on the two-spirals density; energy distance between generated and fresh samples."""
import math

import torch

from ddpm.core import EMA, Denoiser, Diffusion


def spirals(n, gen):
    t = torch.rand(n, generator=gen).sqrt() * 3 * math.pi
    s = torch.where(torch.rand(n, generator=gen) < 0.5, 1.0, -1.0)
    p = torch.stack([t.cos() * t, t.sin() * t], 1) * s[:, None] / 5.0
    return p + 0.05 * torch.randn(n, 2, generator=gen)


def energy_distance(a, b):
    n, m = len(a), len(b)
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).sum() / (n * (n - 1)) - torch.cdist(b, b).sum() / (m * (m - 1))).item()


def main(iters=2400, batch=256):
    torch.manual_seed(19)
    g = torch.Generator().manual_seed(20)
    diff = Diffusion()
    model = Denoiser(diff.steps)
    ema = EMA(model)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    ref, other = spirals(1500, g), spirals(1500, g)
    print(f"energy distance: real/real {energy_distance(ref, other):.4f}  gaussian/real {energy_distance(ref, torch.randn(1500, 2, generator=g) * ref.std(0)):.4f}")
    run = 0.0
    for it in range(1, iters + 1):
        x0 = spirals(batch, g)
        t = torch.randint(diff.steps, (batch,), generator=g)
        noise = torch.randn(batch, 2, generator=g)
        loss = (model(diff.q_sample(x0, t, noise), t) - noise).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        run += loss.item()
        if it % 400 == 0:
            fake = diff.sample(ema.model, 1500, torch.Generator().manual_seed(0))
            print(f"iter {it:5d}  loss {run/400:.4f}  energy distance {energy_distance(ref, fake):.4f}", flush=True)
            run = 0.0
        if it == int(0.7 * iters):
            for grp in opt.param_groups:
                grp["lr"] *= 0.2


if __name__ == "__main__":
    main()
