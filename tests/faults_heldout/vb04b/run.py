import sys
from pathlib import Path

import torch
from torch.nn.functional import mse_loss

from arm import build_network, read_settings, sample_poses

OPTIMIZERS = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def main(config_name="experiment.yaml"):
    cfg = read_settings(Path(__file__).parent / config_name)
    torch.manual_seed(cfg["seed"])
    inputs, targets = sample_poses(seed=cfg["seed"], **cfg["robot"])
    cut = int(0.8 * len(inputs))
    train_x, val_x = inputs[:cut], inputs[cut:]
    train_y, val_y = targets[:cut], targets[cut:]

    net = build_network(inputs.shape[1], targets.shape[1], **cfg["network"])
    hp = cfg["training"]
    optimizer = OPTIMIZERS[hp["optimizer"]](net.parameters(), lr=hp["lr"])
    updates = hp["epochs"] * ((cut + hp["batch_size"] - 1) // hp["batch_size"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2 * hp["lr"], total_steps=updates)
    print("parameters:", sum(p.numel() for p in net.parameters()))

    for epoch in range(hp["epochs"]):
        net.train()
        epoch_loss = 0.0
        for rows in torch.randperm(cut).split(hp["batch_size"]):
            loss = mse_loss(net(train_x[rows]), train_y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            epoch_loss += loss.item() * len(rows) / cut
        net.eval()
        with torch.no_grad():
            error = (net(val_x) - val_y).norm(dim=1)
        print(f"[{epoch + 1:02d}] train mse {epoch_loss:.5f}   val position error: "
              f"median {error.median():.4f} m, p95 {error.quantile(0.95):.4f} m")


if __name__ == "__main__":
    main(*sys.argv[1:])
