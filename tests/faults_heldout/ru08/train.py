import time
import tomllib

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from ecg.data import BeatDataset
from ecg.net import BeatNet

with open("train.toml", "rb") as f:
    cfg = tomllib.load(f)

torch.manual_seed(cfg["seed"])
held_out = set(range(0, 40, 5))
train_ds = BeatDataset(cfg["data"]["path"], set(range(40)) - held_out)
val_ds = BeatDataset(cfg["data"]["path"], held_out)
train_dl = DataLoader(train_ds, batch_size=cfg["data"]["batch_size"], shuffle=True, drop_last=True)
val_dl = DataLoader(val_ds, batch_size=128)

model = BeatNet(4)
opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])

for epoch in range(cfg["optim"]["epochs"]):
    start = time.perf_counter()
    model.train()
    for step, (x, y) in enumerate(train_dl):
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"  epoch {epoch} step {step}: loss {loss.item():.4f}")
    model.eval()
    total = correct = 0.0
    with torch.no_grad():
        for x, y in val_dl:
            logits = model(x)
            total += F.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(1) == y).sum().item()
    print(f"epoch {epoch}: val loss {total / len(val_ds):.4f} acc {correct / len(val_ds):.3f} "
          f"({time.perf_counter() - start:.1f} s)")
