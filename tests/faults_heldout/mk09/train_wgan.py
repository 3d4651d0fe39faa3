"""Generator of wind vectors (u, v) for the micro-siting simulator."""
import json

import numpy as np
import torch

from windgan.losses import energy_distance, gradient_penalty
from windgan.nets import critic as make_critic
from windgan.nets import generator as make_generator

cfg = json.load(open("wgan.json"))
torch.manual_seed(cfg["seed"])
rng = torch.Generator().manual_seed(cfg["seed"])

uv = torch.from_numpy(np.loadtxt(cfg["csv"], delimiter=",", skiprows=1, dtype=np.float32))
uv = uv[torch.randperm(len(uv), generator=rng)]
held, real = uv[: cfg["held_out"]], uv[cfg["held_out"] :]
mean, std = real.mean(0), real.std(0)
held, real = (held - mean) / std, (real - mean) / std

G = make_generator(cfg["latent"], cfg["width"])
D = make_critic(cfg["width"])
opt_g = torch.optim.Adam(G.parameters(), cfg["lr"] / 4, betas=cfg["betas"])
opt_d = torch.optim.Adam(D.parameters(), cfg["lr"], betas=cfg["betas"])
decay = lambda i: 1.0 - 0.95 * i / cfg["iterations"]
scheds = [torch.optim.lr_scheduler.LambdaLR(o, decay) for o in (opt_g, opt_d)]


def noise(n):
    return torch.randn(n, cfg["latent"], generator=rng)


for it in range(1, cfg["iterations"] + 1):
    for _ in range(cfg["critic_steps"]):
        batch = real[torch.randint(len(real), (cfg["batch"],), generator=rng)]
        with torch.no_grad():
            fake = G(noise(cfg["batch"]))
        gap = D(batch).mean() - D(fake).mean()
        loss_d = -gap + cfg["penalty"] * gradient_penalty(D, batch, fake, rng)
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

    D.requires_grad_(False)
    loss_g = -D(G(noise(cfg["batch"]))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    D.requires_grad_(True)
    for s in scheds:
        s.step()

    if it % cfg["report"] == 0 or it == 1:
        with torch.no_grad():
            sample = G(noise(1000))
        print(f"it {it:4d}  critic {loss_d.item():+.3f}  generator {loss_g.item():+.3f}  "
              f"energy distance held-out {energy_distance(sample, held):.4f} (real/real {energy_distance(real[:1000], held):.4f})")
