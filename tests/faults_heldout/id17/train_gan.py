import configparser

import numpy as np
import torch
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from synth.measure import sliced_distance
from synth.nets import discriminator, generator

c = configparser.ConfigParser()
c.read("gan.ini")
c = c["gan"]
torch.manual_seed(c.getint("seed"))

stars = torch.from_numpy(np.load("catalogue.npy"))
stars = stars[torch.randperm(len(stars))]
fit, held = stars[:5000], stars[5000:]
mean, std = fit.mean(0), fit.std(0)
fit, held = (fit - mean) / std, (held - mean) / std

dim, bs = c.getint("noise"), c.getint("batch")
G, D = generator(dim, c.getint("width")), discriminator(c.getint("width"))
opt_g = torch.optim.Adam(G.parameters(), lr=c.getfloat("rate_g"), betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=c.getfloat("rate_d"), betas=(0.5, 0.9))
smooth = AveragedModel(G, multi_avg_fn=get_ema_multi_avg_fn(c.getfloat("average")))
steps = c.getint("steps")
half = [torch.optim.lr_scheduler.LambdaLR(o, lambda s: 1.0 if s < steps // 2 else max(0.02, 2 - 2 * s / steps)) for o in (opt_g, opt_d)]

print("two halves of the catalogue: %.4f   gaussian: %.4f" % (
    sliced_distance(fit[:1000], held), sliced_distance(torch.randn(1000, 2), held)))
sum_d = sum_g = 0.0
for step in range(1, steps + 1):
    real = fit[torch.randint(len(fit), (bs,))]
    real.requires_grad_(True)
    fake = G(torch.randn(bs, dim)).detach()
    score = D(real)
    slope, = torch.autograd.grad(score.sum(), real, create_graph=True)
    loss_d = F.softplus(-score).mean() + F.softplus(D(fake)).mean()
    opt_d.zero_grad()
    (loss_d + c.getfloat("r1") / 2 * slope.pow(2).sum(1).mean()).backward()
    opt_d.step()

    loss_g = F.softplus(-D(G(torch.randn(bs, dim)))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    smooth.update_parameters(G)
    for h in half:
        h.step()

    sum_d += loss_d.item()
    sum_g += loss_g.item()
    if step % 500 == 0:
        smooth.eval()
        with torch.no_grad():
            dist = sliced_distance(smooth(torch.randn(1000, dim)), held)
        print("step %5d  D %.3f  G %.3f  distance to held-out stars %.4f" % (step, sum_d / 500, sum_g / 500, dist))
        sum_d = sum_g = 0.0
