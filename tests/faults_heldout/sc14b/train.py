from pathlib import Path

import numpy as np
import torch
import yaml
from sklearn.metrics import r2_score
from torch.utils.data import DataLoader, TensorDataset

from surrogate import kinematics
from surrogate.network import Surrogate


def prepare(cfg, rng):
    robot, data = cfg["robot"], cfg["data"]

    def draw(n):
        return kinematics.sample(n, robot["link_lengths"], robot["joint_limit"], data["noise"], rng)

    return draw(data["n_train"]), draw(data["n_valid"])


def main():
    cfg = yaml.safe_load(Path(__file__).with_name("config.yaml").read_text())
    tr = cfg["training"]
    torch.manual_seed(tr["seed"])
    (xt, yt), (xv, yv) = prepare(cfg, np.random.default_rng(tr["seed"]))
    mean, std = yt.mean(0), yt.std(0)

    loader = DataLoader(
        TensorDataset(torch.from_numpy(xt), torch.from_numpy((yt - mean) / std)),
        batch_size=tr["batch_size"],
        shuffle=True,
    )
    model = Surrogate(xt.shape[1], yt.shape[1], **cfg["model"])
    optimizer = torch.optim.Adam(model.parameters(), lr=tr["lr"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, tr["epochs"])
    loss_fn = torch.nn.MSELoss()

    for epoch in range(1, tr["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()

        model.eval()
        with torch.no_grad():
            pred = model(torch.from_numpy(xv)).numpy() * std + mean
        error = np.linalg.norm(pred[:, :2] - yv[:, :2], axis=1).mean()
        r2 = r2_score(yv, pred)
        print(f"epoch {epoch:02d} train_mse {total / len(xt):.5f} valid_r2 {r2:.4f} tool_error {error * 1000:.1f} mm")


if __name__ == "__main__":
    main()
