import math
import sys
import tomllib
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from engine import evaluate, train_epoch
from resnet import MiniResNet
from scenes import SHAPES, build


def main():
    with open(Path(__file__).parent / "options.toml", "rb") as f:
        opts = tomllib.load(f)
    o, r = opts["optim"], opts["run"]
    torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else r["seed"])

    train_loader = DataLoader(build(opts["data"]["train"], 71), o["batch_size"], shuffle=True)
    test_loader = DataLoader(build(opts["data"]["test"], 72), 200)
    accum_steps = o["effective_batch"] // o["batch_size"]

    model = MiniResNet(len(SHAPES))
    optimizer = torch.optim.SGD(model.parameters(), lr=o["lr"], momentum=o["momentum"],
                                weight_decay=o["weight_decay"], nesterov=o["nesterov"])
    updates = r["epochs"] * math.ceil(len(train_loader) / accum_steps)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [int(0.6 * updates), int(0.85 * updates)], gamma=0.3)

    for epoch in range(r["epochs"]):
        train_loss = train_epoch(model, train_loader, optimizer, scheduler, accum_steps)
        test_loss, acc = evaluate(model, test_loader)
        print(f"{epoch + 1:3d}  train {train_loss:.3f}  test {test_loss:.3f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
