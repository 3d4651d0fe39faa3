from pathlib import Path

import torch
import yaml
from torch import nn

from langid.data import read
from langid.model import CharConv, set_trainable

here = Path(__file__).parent
cfg = yaml.safe_load((here / "config.yaml").read_text())
torch.manual_seed(cfg["seed"])

x, y, langs = read(here / "train.txt", cfg["width"])
xv, yv, _ = read(here / "valid.txt", cfg["width"], langs)
model = CharConv(len(langs), **cfg["model"])
params = set_trainable(model, cfg["optim"]["train"])
optimizer = torch.optim.Adam(params, lr=cfg["optim"]["lr"], betas=(0.9, 0.98))
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

step = 0
for epoch in range(cfg["epochs"]):
    perm = torch.randperm(len(x))
    for start in range(0, len(x), cfg["batch"]):
        sel = perm[start:start + cfg["batch"]]
        loss = criterion(model(x[sel]), y[sel])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 40 == 0:
            print(f"step {step:5d} loss {loss.item():.4f}")
        step += 1
    with torch.no_grad():
        out = torch.cat([model(c) for c in xv.split(500)])
        print(f"== epoch {epoch} valid loss {criterion(out, yv):.4f} acc {(out.argmax(1) == yv).float().mean():.4f}")
