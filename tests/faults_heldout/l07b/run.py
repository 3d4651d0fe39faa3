import csv
import json
import os

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from promoter.data import sequences
from promoter.model import PromoterNet


def load_config():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "config.json")) as f:
        return json.load(f)


def apply_freeze(model, prefixes):
    for name, p in model.named_parameters():
        if any(name == pre or name.startswith(pre + ".") for pre in prefixes):
            p.requires_grad_(False)
    return [p for p in model.parameters() if p.requires_grad]


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        z = model(x)
    return F.binary_cross_entropy_with_logits(z, y).item(), ((z > 0).float() == y).float().mean().item()


def main():
    c = load_config()
    torch.manual_seed(c["seed"])
    g = torch.Generator().manual_seed(c["seed"])
    xt, yt = sequences(c["n_train"], c["length"], g)
    xv, yv = sequences(c["n_val"], c["length"], g)
    loader = DataLoader(TensorDataset(xt, yt), batch_size=c["batch_size"], shuffle=True)
    model = PromoterNet(**c["model"])
    params = apply_freeze(model, c["freeze"])
    opt = torch.optim.AdamW(params, lr=c["lr"], weight_decay=c["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, c["epochs"] * len(loader))
    history = []
    for epoch in range(c["epochs"]):
        model.train()
        s = 0.0
        for x, y in loader:
            loss = F.binary_cross_entropy_with_logits(model(x), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, c["grad_clip"])
            opt.step()
            sched.step()
            s += loss.item() * len(y)
        row = (epoch + 1, s / len(yt), *evaluate(model, xv, yv))
        history.append(row)
        print("epoch %d  loss %.4f  val_loss %.4f  val_acc %.4f" % row)
    with open(os.path.join(os.environ.get("TMPDIR", "/tmp"), c["log"]), "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["epoch", "loss", "val_loss", "val_acc"])
        w.writerows(history)


if __name__ == "__main__":
    main()
