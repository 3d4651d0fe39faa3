import json

import torch
from torch import nn

from level_model import LevelGRU
from stream import read_tanks, windows


def run_pass(model, u, y, cfg, opt=None):
    mse, total, count = nn.MSELoss(), 0.0, 0
    for uw, yw in windows(u, y, cfg["window"]):
        model.start(len(u))
        pred = model(uw)
        loss = mse(pred, yw)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
        total += loss.item()
        count += 1
    return total / count


if __name__ == "__main__":
    cfg = json.load(open("config.json"))
    torch.manual_seed(cfg["seed"])
    u, y = read_tanks(cfg["data"])
    k = cfg["val_tanks"]
    model = LevelGRU(cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    print("level variance", round(y[:-k].var().item(), 4))
    for epoch in range(cfg["epochs"]):
        model.train()
        tr = run_pass(model, u[:-k], y[:-k], cfg, opt)
        model.eval()
        with torch.no_grad():
            va = run_pass(model, u[-k:], y[-k:], cfg)
        print(f"epoch {epoch + 1:2d}  mse train {tr:.4f}  val {va:.4f}")
