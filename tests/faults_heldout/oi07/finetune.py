"""Adapt the digit CNN to the three bins of the sorting line (few labelled plates)."""
import json

import numpy as np
import torch
import torch.nn.functional as F

from backbone import Classifier

cfg = json.load(open("finetune.json"))


def load_split(z, name):
    x = torch.from_numpy(z[f"x_{name}"]).float().unsqueeze(1) / 16.0
    return x, torch.from_numpy(z[f"y_{name}"]).long()


def warm_start(model, path):
    blob = torch.load(path, map_location="cpu", weights_only=True)
    weights = {k: v for k, v in blob["state_dict"].items() if "fc." not in k}
    model.load_state_dict(weights, strict=False)
    print(f"warm start from {path} (epoch {blob['epoch']}, {len(weights)} tensors)")


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


torch.manual_seed(cfg["seed"])
z = np.load(cfg["data"])
x_tr, y_tr = load_split(z, "train")
x_te, y_te = load_split(z, "test")
model = Classifier(cfg["n_classes"])
warm_start(model, cfg["init_from"])
opt = torch.optim.AdamW([
    {"params": model.backbone.parameters(), "lr": cfg["lr_backbone"]},
    {"params": model.fc.parameters(), "lr": cfg["lr_head"]},
], weight_decay=1e-3)

for epoch in range(1, cfg["epochs"] + 1):
    order = torch.randperm(len(x_tr))
    run = 0.0
    for idx in order.split(cfg["batch_size"]):
        loss = F.cross_entropy(model(x_tr[idx]), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        run += loss.item() * len(idx)
    if epoch % 5 == 0:
        print(f"epoch {epoch:2d} loss {run / len(x_tr):.4f} test acc {accuracy(model, x_te, y_te):.4f}")
