import json
import math
from pathlib import Path

import torch

from sonar.data import build_loaders
from sonar.model import MixtureDensityNet, mixture_nll


def validate(net, loader):
    net.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            nll = mixture_nll(net(x), y)
            total += nll.sum().item()
            n += len(x)
    net.train()
    return total / n


def main():
    cfg = json.loads(Path("config.json").read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])
    train, val, sy = build_loaders(cfg["data"]["path"], cfg["data"]["holdout"], cfg["data"]["batch_size"], gen)
    net = MixtureDensityNet(2, cfg["model"]["hidden"], cfg["model"]["components"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["optim"]["lr"])
    steps = cfg["optim"]["epochs"] * len(train)
    floor = cfg["optim"]["final_lr_ratio"]
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(s, steps) / steps))
    )
    for epoch in range(1, cfg["optim"]["epochs"] + 1):
        running = 0.0
        for x, y in train:
            loss = mixture_nll(net(x), y).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            sched.step()
            running += loss.item()
        if epoch % 4 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  train nll {running / len(train):.4f}  val nll {validate(net, val):.4f}")
    # change of variables back to kilometres
    print("val nll per sounding, km units:", round(validate(net, val) + math.log(sy.std.item()), 4))


if __name__ == "__main__":
    main()
