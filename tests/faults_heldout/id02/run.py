import json
import pathlib

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from model import DigitNet
from trainer import Trainer

cfg = json.loads((pathlib.Path(__file__).parent / "settings.json").read_text())
torch.manual_seed(cfg["seed"])

digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
y = torch.tensor(digits.target)
itr, iva = train_test_split(range(len(y)), test_size=0.25, stratify=digits.target, random_state=cfg["seed"])
mu, sd = x[itr].mean(), x[itr].std()
x = (x - mu) / sd

loaders = (
    DataLoader(TensorDataset(x[itr], y[itr]), batch_size=cfg["batch_size"], shuffle=True, drop_last=True),
    DataLoader(TensorDataset(x[iva], y[iva]), batch_size=256),
)
Trainer(DigitNet(), loaders, cfg).fit()
