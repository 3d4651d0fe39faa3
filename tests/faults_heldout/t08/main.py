import json
import os

import torch
from torch.utils.data import DataLoader

from har_data import activities
from har_model import HARNet

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.json")) as fh:
    cfg = json.load(fh)

torch.manual_seed(cfg["seed"])
train_dl = DataLoader(activities(1200, cfg, 50), batch_size=cfg["batch"], shuffle=True)
val_dl = DataLoader(activities(500, cfg, 51), batch_size=250)
model = HARNet(cfg["channels"], cfg["filters"], cfg["classes"])
opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
loss_fn = torch.nn.CrossEntropyLoss()

for epoch in range(cfg["epochs"]):
    model.train()
    seen = right = 0
    for x, y in train_dl:
        out = model(x)
        loss = loss_fn(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (out.argmax(1) == y).sum().item()
        seen += len(y)
    model.eval()
    with torch.no_grad():
        pairs = [(model(x), y) for x, y in val_dl]
    vl = sum(loss_fn(o, y).item() for o, y in pairs) / len(pairs)
    va = sum((o.argmax(1) == y).sum().item() for o, y in pairs) / 500
    print(f"epoch {epoch + 1}/{cfg['epochs']} train_acc {right / seen:.3f} val_loss {vl:.4f} val_acc {va:.3f}")
