"""Identify which of four gases a 10-channel metal-oxide sensor array is exposed to."""
import json
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import hooks
from engine import Engine

HERE = Path(__file__).parent
GASES = ["acetone", "ammonia", "ethanol", "toluene"]


def load(batch_size):
    df = pd.read_csv(HERE / "exposures.csv")
    channels = [c for c in df.columns if c.startswith("mox")]
    x = df[channels].to_numpy(np.float32)
    y = df["gas"].map(GASES.index).to_numpy()
    train = (df["split"] == "train").to_numpy()
    mean, std = x[train].mean(0), x[train].std(0)
    x = torch.tensor((x - mean) / std)
    y = torch.tensor(y)
    tr = TensorDataset(x[train], y[train])
    va = TensorDataset(x[~train], y[~train])
    return (DataLoader(tr, batch_size=batch_size, shuffle=True),
            DataLoader(va, batch_size=256))


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_loader, valid_loader = load(cfg["batch_size"])
    h = cfg["hidden"]
    model = nn.Sequential(nn.Linear(10, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(),
                          nn.Linear(h, len(GASES)))
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    engine = Engine(model, optimizer, nn.CrossEntropyLoss())
    for entry in cfg["hooks"]:
        engine.on(entry["on"], hooks.build(entry, valid_loader=valid_loader))
    engine.run(train_loader, cfg["epochs"])
    loss, acc = engine.evaluate(valid_loader)
    print(f"final: valid loss {loss:.4f}, accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
