import tomllib
from pathlib import Path

import torch

from forecast import CallData, SeqForecaster, gaussian_nll
from forecast.losses import coverage

ROOT = Path(__file__).parent


def validate(model, data):
    model.eval()
    starts = data.starts("valid")
    means, log_vars, truth = [], [], []
    with torch.no_grad():
        for c in range(data.n_centers):
            center = torch.full_like(starts, c)
            past, clock, future = data.window(starts, center)
            m, lv = model(past, clock, center)
            means.append(m)
            log_vars.append(lv)
            truth.append(future)
    model.train()
    m, lv, y = torch.cat(means), torch.cat(log_vars), torch.cat(truth)
    return (m - y).pow(2).mean().sqrt().item(), coverage(m, lv, y)


def main():
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    tc = cfg["train"]
    torch.manual_seed(tc["seed"])
    data = CallData(ROOT / cfg["data"].pop("path"), **cfg["data"])
    model = SeqForecaster(data.history, data.horizon, data.n_centers)
    opt = torch.optim.Adam(model.parameters(), lr=tc["lr"])
    starts = data.starts("train")

    smooth = None
    for step in range(1, tc["steps"] + 1):
        pick = starts[torch.randint(len(starts), (tc["batch"],))]
        center = torch.randint(data.n_centers, (tc["batch"],))
        past, clock, future = data.window(pick, center)
        mean, log_var = model(past, clock, center)
        loss = gaussian_nll(mean, log_var, future)
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % tc["log_every"] == 0:
            rmse, cov = validate(model, data)
            print(f"step {step:5d} nll {smooth:+.3f} | valid rmse {rmse:.3f} | 90% interval covers {cov:.2f}")


if __name__ == "__main__":
    main()
