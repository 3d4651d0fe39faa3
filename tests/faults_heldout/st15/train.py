import pathlib

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from slices import CalciumSlices, pad
from pooling import SliceNet


def read_settings(path):
    out = {}
    for line in pathlib.Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if value.strip():
            out[key.strip()] = float(value) if "." in value else int(value)
    return out


cfg = read_settings(pathlib.Path(__file__).with_name("run.yaml"))
torch.manual_seed(cfg["seed"])
train = DataLoader(CalciumSlices(cfg["train_slices"], 1), cfg["batch"], shuffle=True, collate_fn=pad)
val = DataLoader(CalciumSlices(cfg["val_slices"], 2), cfg["batch"], collate_fn=pad)

net = SliceNet()
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2 * cfg["lr"], total_steps=cfg["epochs"] * len(train))

for epoch in range(cfg["epochs"]):
    net.train()
    tot = 0.0
    for cells, empty, dose in train:
        loss = F.mse_loss(net(cells, empty), dose)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(dose)
    net.eval()
    with torch.no_grad():
        pred = torch.cat([net(c, e) for c, e, _ in val])
        true = torch.cat([s for _, _, s in val])
    mae = (pred - true).abs().mean().item()
    r = torch.corrcoef(torch.stack([pred, true]))[0, 1].item()
    print(f"epoch {epoch:2d} train mse {tot / cfg['train_slices']:.5f} val mae {mae:.4f} corr {r:.4f}")
