"""Adapt the published arm model to the new gripper with logs from the shop floor."""
import tomllib
from pathlib import Path

import torch

from arm.adapt import adapt
from arm.dynamics import from_release
from arm.logs import ArmLogs


def main():
    cfg = tomllib.loads(Path("adapt.toml").read_text())
    torch.manual_seed(cfg["train"]["seed"])
    net = from_release(cfg["release"])
    logs = ArmLogs(cfg["logs"]["path"], cfg["logs"]["valid_from"])
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(logs.train[0])} training rows")
    adapt(net, logs, cfg["train"])


if __name__ == "__main__":
    main()
