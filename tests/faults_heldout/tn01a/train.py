"""Online activity recognition with rehearsal, config in config.yaml"""
from pathlib import Path

import torch
import torch.nn.functional as F
import yaml

from model import HARNet
from replay import ReservoirReplay
from stream import ACTIVITIES, ActivityStream, unseen_wearers

HERE = Path(__file__).parent


@torch.no_grad()
def macro_recall(model, x, y):
    model.eval()
    pred = model(x).argmax(1)
    model.train()
    return sum((pred[y == c] == c).float().mean().item() for c in y.unique()) / len(y.unique())


def main():
    cfg = yaml.safe_load((HERE / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    model = HARNet(cfg["stream"]["channels"], len(ACTIVITIES))
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])
    replay = ReservoirReplay(cfg["replay"]["capacity"], cfg["seed"])
    x_test, y_test = unseen_wearers(cfg["stream"], cfg["eval"]["windows"], cfg["seed"])

    running = 0.0
    for step, (x, y) in enumerate(ActivityStream(cfg["stream"], cfg["seed"]), 1):
        new_x, new_y = x, y
        if step > cfg["replay"]["start_after"]:
            rx, ry = replay.sample(cfg["replay"]["batch"])
            x, y = torch.cat([x, rx]), torch.cat([y, ry])
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        replay.add(new_x, new_y)
        running += loss.item()
        if step % cfg["eval"]["every"] == 0:
            print(f"step {step:5d}  loss {running / cfg['eval']['every']:.3f}  "
                  f"macro recall (unseen wearers) {macro_recall(model, x_test, y_test):.3f}")
            running = 0.0


if __name__ == "__main__":
    main()
