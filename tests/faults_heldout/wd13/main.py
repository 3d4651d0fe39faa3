import copy
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from ddpm.net import Denoiser
from ddpm.process import Diffusion
from ddpm.toy import energy_distance, load

cfg = tomllib.loads(Path(__file__).with_name("config.toml").read_text())
torch.manual_seed(cfg["seed"])
train, held = load(**cfg["data"], seed=cfg["seed"])
diff = Diffusion(**cfg["diffusion"])
net = Denoiser(diff.steps)
ema = copy.deepcopy(net).requires_grad_(False)

tc = cfg["train"]
opt = torch.optim.AdamW(net.parameters(), lr=tc["lr"], weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, tc["iterations"])

fixed_t = torch.arange(len(held)) % diff.steps
fixed_noise = torch.randn(held.shape)

window = []
for it in range(1, tc["iterations"] + 1):
    x0 = train[torch.randint(len(train), (tc["batch_size"],))]
    t = torch.randint(diff.steps, (len(x0),))
    noise = torch.randn_like(x0)
    loss = F.mse_loss(net(diff.corrupt(x0, t, noise), t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), net.parameters()):
            e.lerp_(p, 1 - tc["ema"])
    window.append(loss.item())
    if it % tc["log_every"] == 0:
        with torch.no_grad():
            v = F.mse_loss(ema(diff.corrupt(held, fixed_t, fixed_noise), fixed_t), fixed_noise).item()
        print(f"it {it:5d}  train mse {sum(window) / len(window):.4f}  held-out mse (ema) {v:.4f}")
        window.clear()

samples = diff.sample(ema, len(held))
print(f"energy distance: samples {energy_distance(samples, held):.5f}  "
      f"train subset {energy_distance(train[:len(held)], held):.5f}  gaussian {energy_distance(torch.randn_like(held), held):.5f}")
on = torch.cdist(samples, train).min(1).values < 0.1
print(f"samples on the spiral: {on.float().mean():.3f}")
torch.save(ema.state_dict(), Path(__file__).with_name("ema.pt"))
