import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from vae import ConvVAE, bits_per_dim

HERE = Path(__file__).resolve().parent


def load(noise, seed):
    x = torch.from_numpy(load_digits().images.astype(np.float32) / 16).unsqueeze(1)
    x = F.interpolate(x, size=16, mode="bicubic", align_corners=False).clamp(0, 1)
    g = torch.Generator().manual_seed(seed)
    x = x[torch.randperm(len(x), generator=g)]
    x = x + noise * torch.randn(x.shape, generator=g)
    return x[:1500], x[1500:]


def shift(x):
    dx, dy = torch.randint(-1, 2, (2,)).tolist()
    return torch.roll(x, (dy, dx), dims=(2, 3))


@torch.no_grad()
def held_out(model, x):
    model.eval()
    nll, kl = model.elbo_terms(x)
    mu, _ = model.encode(x)
    mse = F.mse_loss(model.decode(mu), x)
    model.train()
    return nll.mean().item(), kl.mean().item(), mse.item()


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train, test = load(cfg["noise"], cfg["seed"])
    loader = DataLoader(TensorDataset(train), cfg["batch_size"], shuffle=True, drop_last=True)
    model = ConvVAE(cfg["latent"], cfg["width"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    total = cfg["epochs"] * len(loader)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1.0 if s < 0.6 * total else max(0.05, (total - s) / (0.4 * total)))

    step = 0
    for epoch in range(1, cfg["epochs"] + 1):
        sums = np.zeros(3)
        for i, (x,) in enumerate(loader, 1):
            beta = min(1.0, step / cfg["kl_warmup_steps"])
            nll, kl = model.elbo_terms(shift(x))
            loss = nll.mean() + beta * kl.mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 200.0)
            opt.step()
            sched.step()
            step += 1
            sums += [loss.item(), nll.mean().item(), kl.mean().item()]
            if i % 20 == 0:
                l, n, k = sums / i
                print(f"epoch {epoch:2d} it {i:3d} loss {l:9.2f} nll {n:9.2f} kl {k:6.2f} beta {beta:.2f} sigma {model.log_sigma.exp().item():.3f}", flush=True)
        if epoch % cfg["eval_every_epochs"] == 0:
            n, k, mse = held_out(model, test)
            print(f"== epoch {epoch} test -elbo {n + k:.2f} ({bits_per_dim(n + k, 256):.3f} bits/dim) kl {k:.2f} recon mse {mse:.5f}", flush=True)


if __name__ == "__main__":
    main()
