import tomllib
from pathlib import Path

import torch
from torch.nn.functional import mse_loss

from tank.estimator import LevelEstimator, Memory
from tank.streams import read

HERE = Path(__file__).parent


def run_epoch(model, recordings, memory, optimizer=None):
    model.train(optimizer is not None)
    total = 0.0
    for k, x, y in recordings.windows(shuffle_recordings=optimizer is not None):
        with torch.set_grad_enabled(optimizer is not None):
            out, state = model(x, memory.get(k))
            loss = mse_loss(out, y)
        memory.put(state)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        total += loss.item()
    return total / len(recordings)


def main():
    cfg = tomllib.loads((HERE / "tank.toml").read_text())
    torch.manual_seed(cfg["seed"])
    train, test, unit = read(HERE / "tank.npz", cfg["stream"]["window"], cfg["stream"]["test_share"])
    model = LevelEstimator(train.inputs.shape[-1], cfg["model"]["hidden"])
    memory = Memory(cfg["stream"]["renew"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["training"]["lr"])
    epochs = cfg["training"]["epochs"]
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-4)
    for epoch in range(1, epochs + 1):
        fit = run_epoch(model, train, memory, optimizer)
        held = run_epoch(model, test, memory)
        schedule.step()
        if epoch % 4 == 0:
            print(f"epoch {epoch:3d}   mse {fit:.4f}   test mse {held:.4f}   test rmse {held ** 0.5 * unit:.2f} cm")


if __name__ == "__main__":
    main()
