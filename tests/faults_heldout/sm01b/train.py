import tomllib
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from hydro.data import Basin
from hydro.model import RunoffGRU

HERE = Path(__file__).resolve().parent


def nse(pred, obs):
    """Nash-Sutcliffe efficiency."""
    return 1.0 - ((pred - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    pred, obs = [], []
    for x, q in loader:
        pred.append(model(x))
        obs.append(q)
    pred, obs = torch.cat(pred), torch.cat(obs)
    return torch.mean((pred - obs) ** 2).item(), nse(pred, obs).item()


def main():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    torch.manual_seed(11)
    d, f = cfg["data"], cfg["fit"]
    basin = Basin(HERE / d["path"], d["train_until"], d["valid_until"])
    train = DataLoader(basin.split("train", d["window"]), batch_size=f["batch_size"], shuffle=True, drop_last=True)
    valid = DataLoader(basin.split("valid", d["window"]), batch_size=256)
    model = RunoffGRU(len(basin.names), cfg["model"]["hidden"], cfg["model"]["dropout"])
    opt = torch.optim.Adam(model.parameters(), lr=f["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=f["epochs"], eta_min=f["lr"] * 0.05)
    print("forcings:", ", ".join(basin.names))

    for epoch in range(1, f["epochs"] + 1):
        model.train()
        total, seen = 0.0, 0
        for x, q in train:
            opt.zero_grad(set_to_none=True)
            loss = torch.nn.functional.mse_loss(model(x), q)
            if not torch.isfinite(loss):
                continue
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), f["max_norm"])
            opt.step()
            total += loss.item() * len(q)
            seen += len(q)
        sched.step()
        v, e = validate(model, valid)
        print(f"epoch {epoch:2d}  train mse {total / max(seen, 1):.4f}  valid mse {v:.4f}  NSE {e:.3f}")


if __name__ == "__main__":
    main()
