"""Learn the forward kinematics of the 5-joint arm from the calibration log."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from armlib.data import load_log
from armlib.nets import mlp

ROOT = Path(__file__).parent


def evaluate(net, fold, scale):
    net.eval()
    with torch.no_grad():
        err = net(fold.q) - fold.pose
    r2 = 1 - err.pow(2).mean(0) / fold.pose.var(0, unbiased=False)
    position_error = (err * scale)[:, :3].norm(dim=1).mean() * 1000
    return err.pow(2).mean().item(), r2.tolist(), position_error.item()


def run(hp):
    seed = hp["train"]["seed"]
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    train, val, scale = load_log(ROOT / hp["data"]["file"], hp["data"]["val_fraction"], rng)
    net = mlp(train.q.shape[1], hp["net"]["widths"], train.pose.shape[1], hp["net"]["activation"])
    print(net)
    optimizer = torch.optim.AdamW(net.parameters(), **{**hp["optim"], "betas": tuple(hp["optim"]["betas"])})
    epochs = hp["train"]["epochs"]
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-5)

    for epoch in range(1, epochs + 1):
        net.train()
        losses = []
        for q, pose in train.batches(hp["train"]["batch_size"], rng):
            loss = F.mse_loss(net(q), pose)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        schedule.step()
        if epoch % hp["train"]["report_every"] == 0:
            mse, r2, mm = evaluate(net, val, scale)
            print(
                f"epoch {epoch:3d} | train mse {np.mean(losses):.4f} | val mse {mse:.4f} | "
                f"val R2 {' '.join(f'{v:.3f}' for v in r2)} | position error {mm:.1f} mm"
            )


if __name__ == "__main__":
    run(json.loads((ROOT / "hparams.json").read_text()))
