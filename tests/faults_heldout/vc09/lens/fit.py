import math

import torch
from torch.nn import functional as F


def psnr(field, data, dtype):
    xy, value = data
    with torch.no_grad():
        mse = F.mse_loss(field(xy.to(dtype)).float(), value).item()
    return -10 * math.log10(mse) if mse > 0 else float("nan")


def make_optimizer(field, lr):
    return torch.optim.Adam(field.parameters(), lr=lr, betas=(0.9, 0.99))


def fit(field, train, held_out, *, steps, batch, lr, dtype, gen, report_every):
    xy, value = train
    field.to(dtype)
    optimizer = make_optimizer(field, lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for step in range(1, steps + 1):
        idx = torch.randint(len(xy), (batch,), generator=gen)
        pred = field(xy[idx].to(dtype)).float()
        loss = F.mse_loss(pred, value[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step == 1 or step % report_every == 0:
            print(f"{step:5d}  mse {loss.item():.5f}  held-out psnr {psnr(field, held_out, dtype):6.2f} dB")
    return field
