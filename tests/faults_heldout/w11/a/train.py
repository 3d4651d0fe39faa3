import json
from pathlib import Path

import numpy as np
import torch

from ddpm import Average, Denoiser, Diffusion

here = Path(__file__).parent
cfg = json.loads((here / "settings.json").read_text())
torch.manual_seed(cfg["seed"])


def energy_distance(a, b):
    def d(u, v):
        return torch.cdist(u, v).mean()
    return (2 * d(a, b) - d(a, a) - d(b, b)).item()


points = torch.from_numpy(np.load(here / "points.npy"))
train, held = points[:3000], points[3000:]
diff = Diffusion(cfg["timesteps"], cfg["beta_range"])
model = Denoiser(cfg["hidden"], cfg["timesteps"])
avg = Average(model, Denoiser(cfg["hidden"], cfg["timesteps"]), cfg["ema_decay"])
opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, cfg["steps"])

g = torch.Generator().manual_seed(1)
held_t = torch.randint(cfg["timesteps"], (len(held),), generator=g)
held_eps = torch.randn(held.shape, generator=g)

for step in range(1, cfg["steps"] + 1):
    x0 = train[torch.randint(len(train), (cfg["batch"],))]
    t = torch.randint(cfg["timesteps"], (cfg["batch"],))
    loss = diff.loss(model, x0, t, torch.randn_like(x0))
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    avg.update(model)
    if step % cfg["log_every"] == 0:
        with torch.no_grad():
            h = diff.loss(avg.shadow, held, held_t, held_eps).item()
        e = energy_distance(diff.sample(avg.shadow, 1000), held)
        print(f"step {step} loss {loss.item():.3f} held-out {h:.3f} energy distance {e:.4f}")
