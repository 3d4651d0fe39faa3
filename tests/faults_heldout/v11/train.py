import json
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

from src.network import small_resnet
from src.trainer import Trainer


def main():
    cfg = json.loads(Path(__file__).with_name("config.json").read_text())
    torch.manual_seed(cfg["seed"])
    d = load_digits()
    data = TensorDataset(torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8.0 - 1.0, torch.tensor(d.target))
    train, val = random_split(data, [1437, 360], generator=torch.Generator().manual_seed(0))
    Trainer(small_resnet(),
            DataLoader(train, batch_size=cfg["batch_size"], shuffle=True),
            DataLoader(val, batch_size=128), cfg).fit()


if __name__ == "__main__":
    main()
