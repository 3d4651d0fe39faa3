import configparser
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from sed.dataset import load
from sed.engine import Engine
from sed.model import PulseNet

root = Path(__file__).parent
ini = configparser.ConfigParser()
ini.read(root / "config.ini")

torch.manual_seed(8)
train_set, val_set = load(root / ini["data"]["file"], ini.getfloat("data", "val_fraction"), seed=8)
train_loader = DataLoader(train_set, ini.getint("train", "micro_batch"), shuffle=True)
val_loader = DataLoader(val_set, 256)

model = PulseNet(ini.getint("model", "channels"))
optimizer = torch.optim.AdamW(
    model.parameters(), lr=ini.getfloat("train", "lr"), weight_decay=ini.getfloat("train", "weight_decay")
)
engine = Engine(model, optimizer, ini.getint("train", "accumulate"))

for epoch in range(ini.getint("train", "epochs")):
    train_loss = engine.train_epoch(train_loader)
    val_loss, val_acc = engine.evaluate(val_loader)
    print(f"epoch {epoch + 1:02d}: train {train_loss:.4f} val {val_loss:.4f} acc {val_acc:.3f}")
