"""Generator of wind vectors for the harbour simulation (DDPM on u, v)."""
import configparser

import numpy as np
import torch

from diffusion import EMA, Denoiser, GaussianDiffusion


def energy_distance(a, b):
    d = torch.cdist
    return (2 * d(a, b).mean() - d(a, a).mean() - d(b, b).mean()).item()


def main():
    ini = configparser.ConfigParser()
    ini.read("wind.ini")
    tr, ds = ini["train"], ini["diffusion"]
    torch.manual_seed(tr.getint("seed"))

    x = torch.tensor(np.loadtxt("wind.csv", delimiter=",", skiprows=1), dtype=torch.float32)
    x = x[torch.randperm(len(x))]
    train, held = x[:4000], x[4000:]
    mu, sd = train.mean(0), train.std(0)
    train = (train - mu) / sd
    held = (held - mu) / sd

    diff = GaussianDiffusion(ds.getint("steps"), ds.getfloat("beta_min"), ds.getfloat("beta_max"))
    model = Denoiser(ds.getint("hidden"), diff.steps)
    ema = EMA(model, ini["ema"].getfloat("decay"))
    opt = torch.optim.Adam(model.parameters(), lr=tr.getfloat("lr"))
    steps, bs = tr.getint("steps"), tr.getint("batch_size")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

    running = 0.0
    for step in range(1, steps + 1):
        batch = train[torch.randint(len(train), (bs,))]
        loss = diff.loss(model, batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update(model)
        running += loss.item()
        if step % 300 == 0:
            gen = diff.sample(ema.shadow, 1000)
            print(f"step {step:5d}  loss {running / 300:.4f}  energy distance to held-out {energy_distance(gen, held):.4f}")
            running = 0.0

    gen = diff.sample(ema.shadow, 1000) * sd + mu
    speed = gen.norm(dim=1)
    real = (held * sd + mu).norm(dim=1)
    print("two halves of the data:", round(energy_distance(train[:1000], held), 4))
    print(f"mean wind speed generated {speed.mean():.2f} m/s, measured {real.mean():.2f} m/s")


if __name__ == "__main__":
    main()
