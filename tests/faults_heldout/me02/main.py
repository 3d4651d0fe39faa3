import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from bikes.data import load
from bikes.model import DemandNet

nll = nn.PoissonNLLLoss(log_input=True)


@torch.no_grad()
def score(model, ds):
    model.eval()
    cat, cont, y = ds.cat, ds.cont, ds.count
    log_rate = model(cat, cont)
    return nll(log_rate, y).item(), (log_rate.exp() - y).abs().mean().item()


def main():
    with open("config.toml", "rb") as f:
        cfg = tomllib.load(f)
    tc = cfg["train"]
    torch.manual_seed(tc["seed"])
    train, val, test = load(cfg["data"])
    loader = DataLoader(train, batch_size=tc["batch_size"], shuffle=True)
    model = DemandNet(**cfg["model"])
    model.set_base_rate(train.count.mean())
    opt = torch.optim.AdamW(model.parameters(), lr=tc["lr"], weight_decay=tc["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, tc["lr"], total_steps=tc["epochs"] * len(loader))
    for epoch in range(1, tc["epochs"] + 1):
        model.train()
        running = 0.0
        for cat, cont, y in loader:
            loss = nll(model(cat, cont), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1000.0)
            opt.step()
            sched.step()
            running += loss.item() * len(y)
        v, mae = score(model, val)
        if epoch % 3 == 0 or epoch == 1:
            print(f"[{epoch:3d}] nll train {running / len(train):.3f}  val {v:.3f}  val MAE {mae:.2f}")
    t, mae = score(model, test)
    by_hour = torch.stack([train.count[train.cat[:, 0] == h].mean() for h in range(24)])
    ref = (by_hour[test.cat[:, 0]] - test.count).abs().mean()
    print(f"held-out period: nll {t:.3f}  MAE {mae:.2f}  (hourly mean: {ref:.2f})")


if __name__ == "__main__":
    main()
