import argparse
import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from core.network import WaveNetLite
from core.records import Records
from core.transforms import compose

parser = argparse.ArgumentParser(description="acoustic emission event classifier")
parser.add_argument("config")
cfg = json.load(open(parser.parse_args().config))

torch.manual_seed(cfg["seed"])
train_ds = Records(cfg["root"], "train", cfg["scale"], compose(cfg["augment"]))
valid_ds = Records(cfg["root"], "valid", cfg["scale"])
train_dl = DataLoader(train_ds, batch_size=cfg["batch"], shuffle=True)
valid_dl = DataLoader(valid_ds, batch_size=250)

net = WaveNetLite(cfg["kinds"], cfg["width"])
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.OneCycleLR(
    opt, max_lr=cfg["lr"], total_steps=cfg["epochs"] * len(train_dl), pct_start=0.2
)

for epoch in range(cfg["epochs"]):
    net.train()
    tot = cnt = 0
    for wave, kind in train_dl:
        loss = F.cross_entropy(net(wave), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(kind)
        cnt += len(kind)

    net.eval()
    with torch.no_grad():
        logits = torch.cat([net(w) for w, _ in valid_dl])
    vloss = F.cross_entropy(logits, valid_ds.kind).item()
    vacc = (logits.argmax(1) == valid_ds.kind).float().mean().item()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1:2d}: train {tot / cnt:.3f}, valid {vloss:.3f}, valid acc {vacc:.3f}")
