import configparser
import pathlib

import numpy as np
import torch

from ddpm import Averaged, Diffusion, TimeMLP

folder = pathlib.Path(__file__).resolve().parent
ini = configparser.ConfigParser()
ini.read(folder / "denoise.ini")


def val_loss(net, diff, x, repeats=4):
    gen = torch.Generator().manual_seed(1234)
    total = 0.0
    with torch.no_grad():
        for _ in range(repeats):
            t = torch.randint(0, diff.T, (len(x),), generator=gen)
            eps = torch.randn(x.shape, generator=gen)
            total += torch.nn.functional.mse_loss(net(diff.noise(x, t, eps), t), eps).item()
    return total / repeats


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def main():
    o, d, m, e = ini["optim"], ini["diffusion"], ini["model"], ini["ema"]
    torch.manual_seed(ini["run"].getint("seed"))
    train = torch.from_numpy(np.load(folder / ini["data"]["train"]))
    val = torch.from_numpy(np.load(folder / ini["data"]["val"]))

    diff = Diffusion(d.getint("timesteps"), d.getfloat("beta_start"), d.getfloat("beta_end"))
    net = TimeMLP(m.getint("hidden"), m.getint("blocks"), m.getint("time_dim"))
    opt = torch.optim.AdamW(net.parameters(), lr=o.getfloat("lr"), weight_decay=o.getfloat("weight_decay"))
    steps, every = o.getint("steps"), ini["run"].getint("eval_every")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=o.getfloat("final_lr"))
    ema = Averaged(net, e.getfloat("decay")) if e.getboolean("enabled") else None

    running = 0.0
    for step in range(1, steps + 1):
        x0 = train[torch.randint(len(train), (o.getint("batch_size"),))]
        t = torch.randint(0, diff.T, (len(x0),))
        eps = torch.randn_like(x0)
        loss = torch.nn.functional.mse_loss(net(diff.noise(x0, t, eps), t), eps)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), o.getfloat("grad_clip"))
        opt.step()
        sched.step()
        if ema is not None and step % e.getint("update_every") == 0:
            ema.update(net)
        running += loss.item() / every
        if step % every == 0:
            used = ema.model if ema is not None else net
            print(f"step {step:5d}  train {running:.4f}  val {val_loss(used, diff, val):.4f}")
            running = 0.0

    used = ema.model if ema is not None else net
    points = diff.sample(used, 600, torch.Generator().manual_seed(0))
    print(f"energy distance of 600 samples to the held-out points: {energy_distance(points, val):.4f}")


if __name__ == "__main__":
    main()
