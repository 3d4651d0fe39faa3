"""Learn the forward kinematics of a 4-joint planar arm from logged joint angles."""
import argparse
import json
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LINKS = torch.tensor([0.9, 0.7, 0.5, 0.3])


def sample_arm(n, generator):
    angles = (torch.rand(n, 4, generator=generator) * 2 - 1) * (0.6 * math.pi)
    cumulative = angles.cumsum(dim=1)
    x = (LINKS * cumulative.cos()).sum(dim=1)
    y = (LINKS * cumulative.sin()).sum(dim=1)
    pos = torch.stack([x, y], dim=1)
    pos = pos + 0.01 * torch.randn(pos.shape, generator=generator)
    return angles, pos


class ArmNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(4, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2),
        )

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    sse, n = 0.0, 0
    for xb, yb in loader:
        sse += (model(xb) - yb).pow(2).sum().item()
        n += len(xb)
    return math.sqrt(sse / n)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    with open(args.config) as f:
        cfg = json.load(f)

    g = torch.Generator().manual_seed(cfg["data_seed"])
    x_train, y_train = sample_arm(cfg["n_train"], g)
    x_val, y_val = sample_arm(cfg["n_val"], g)
    mu, sd = x_train.mean(0), x_train.std(0)
    x_train, x_val = (x_train - mu) / sd, (x_val - mu) / sd

    torch.manual_seed(args.seed)
    train_loader = DataLoader(TensorDataset(x_train, y_train), batch_size=cfg["batch_size"], shuffle=True)
    val_loader = DataLoader(TensorDataset(x_val, y_val), batch_size=512)

    model = ArmNet(cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    loss_fn = nn.MSELoss()

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total, seen = 0.0, 0
        for xb, yb in train_loader:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
            seen += len(xb)
        print(f"epoch {epoch:3d}  train mse {total / seen:.5f}  val error {evaluate(model, val_loader):.4f} m")

    print(f"final position error (RMS): {evaluate(model, val_loader):.4f} m")


if __name__ == "__main__":
    main()
