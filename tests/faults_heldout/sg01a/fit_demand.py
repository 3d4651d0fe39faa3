import csv
import tomllib

import torch
from torch import nn

with open("settings.toml", "rb") as fh:
    CFG = tomllib.load(fh)


class DemandNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.hour = nn.Embedding(24, 6)
        self.day = nn.Embedding(7, 3)
        self.body = nn.Sequential(
            nn.Linear(6 + 3 + 4, width), nn.GELU(),
            nn.Linear(width, width), nn.GELU(),
            nn.Linear(width, 1),
        )

    def forward(self, hour, day, cont):
        z = torch.cat([self.hour(hour), self.day(day), cont], dim=1)
        return self.body(z).squeeze(1)


def read_table(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    hour = torch.tensor([int(r["hour"]) for r in rows])
    day = torch.tensor([int(r["weekday"]) for r in rows])
    cont = torch.tensor([[float(r[c]) for c in ("temp", "humidity", "wind", "holiday")] for r in rows])
    count = torch.tensor([float(r["rentals"]) for r in rows])
    return hour, day, cont, count


def make_scheduler(opt):
    s = CFG["schedule"]
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=s["step_size"], gamma=s["gamma"])
    return sched, s["interval"]


def main():
    torch.manual_seed(CFG["seed"])
    hour, day, cont, count = read_table("rentals.csv")
    perm = torch.randperm(len(count))
    n_val = len(count) // 5
    va, tr = perm[:n_val], perm[n_val:]

    mu, sd = cont[tr].mean(0), cont[tr].std(0)
    cont = (cont - mu) / sd
    target = torch.log1p(count)
    t_mu, t_sd = target[tr].mean(), target[tr].std()
    target = (target - t_mu) / t_sd

    net = DemandNet(CFG["model"]["width"])
    opt = torch.optim.AdamW(net.parameters(), lr=CFG["optim"]["lr"], weight_decay=CFG["optim"]["weight_decay"])
    sched, interval = make_scheduler(opt)
    bs = CFG["optim"]["batch_size"]

    for epoch in range(CFG["epochs"]):
        net.train()
        order = tr[torch.randperm(len(tr))]
        total = 0.0
        for lo in range(0, len(order), bs):
            b = order[lo:lo + bs]
            loss = nn.functional.mse_loss(net(hour[b], day[b], cont[b]), target[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            if interval == "batch":
                sched.step()
            total += loss.item() * len(b)
        if interval == "epoch":
            sched.step()
        if epoch % 4 == 0 or epoch == CFG["epochs"] - 1:
            net.eval()
            with torch.no_grad():
                pred = net(hour[va], day[va], cont[va])
                val = nn.functional.mse_loss(pred, target[va]).item()
                mae = (torch.expm1(pred * t_sd + t_mu) - count[va]).abs().mean().item()
            print(f"epoch {epoch:3d}  train {total / len(tr):.4f}  valid {val:.4f}  MAE {mae:.2f} rentals")


if __name__ == "__main__":
    main()
