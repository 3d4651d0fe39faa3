import json
import sys
from pathlib import Path

import torch
from torch import nn

from pipeline.data import loaders
from pipeline.engine import mlp, r2_score, train_one_epoch


def main(path):
    s = json.loads(Path(path).read_text())
    torch.manual_seed(s["seed"])
    train, val = loaders(s["batch_size"], s["seed"])
    model = mlp(10, s["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=s["lr"], weight_decay=1e-3)
    # drop the rate twice in the course of training
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=s["lr_step"], gamma=s["lr_gamma"])
    loss_fn = nn.MSELoss()
    for epoch in range(s["epochs"]):
        loss = train_one_epoch(model, train, optimizer, scheduler, loss_fn)
        print(f"[{epoch + 1:02d}/{s['epochs']}] loss={loss:.4f} val_r2={r2_score(model, val):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("settings.json"))
