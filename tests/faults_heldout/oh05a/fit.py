import tomllib

import torch
from torch.nn.functional import mse_loss

from estimator import ChargeEstimator
from telemetry import Drives

with open("pack.toml", "rb") as fh:
    C = tomllib.load(fh)
R, T = C["recurrence"], C["training"]


def walk(model, data, rows):
    """Yield predictions chunk by chunk along the drives in `rows`."""
    h = model.rest(len(rows))
    for t, x, y in data.chunks(rows, R["chunk"]):
        if t % R["renew_every"] == 0:
            h = model.rest(len(rows))
        pred, h = model(x, h)
        h = h.detach()
        yield pred, y


def rmse(model, data):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for rows in data.groups(16, shuffle=False):
            for pred, y in walk(model, data, rows):
                se += mse_loss(pred, y, reduction="sum").item()
                n += y.numel()
    model.train()
    return (se / n) ** 0.5


def main():
    torch.manual_seed(T["seed"])
    train, test = Drives("drives.npz", 0), Drives("drives.npz", 1)
    mean, std = train.x.mean((0, 1)), train.x.std((0, 1))
    train.standardise(mean, std)
    test.standardise(mean, std)
    model = ChargeEstimator(train.x.shape[-1], R["width"], R["longest_tau"])
    opt = torch.optim.Adam(model.parameters(), lr=T["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T["epochs"], eta_min=T["lr"] / 50)
    for epoch in range(1, T["epochs"] + 1):
        total, n = 0.0, 0
        for rows in train.groups(T["drives_per_batch"], shuffle=True):
            for pred, y in walk(model, train, rows):
                loss = mse_loss(pred, y)
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), T["clip"])
                opt.step()
                total += loss.item()
                n += 1
        sched.step()
        if epoch % 3 == 0:
            print(f"{epoch:3d}: train rmse {(total / n) ** 0.5:.4f}  test rmse {rmse(model, test):.4f}")


main()
