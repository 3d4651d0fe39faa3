import sys
import tomllib

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from net import SmallUNet
from pipeline import Transform, as_dataset
from wells import make_set


def soft_dice(logits, target):
    p = logits.sigmoid().flatten(1)
    t = target.flatten(1)
    return (1 - (2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)).mean()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    inter = union = pred_area = true_area = 0
    loss = 0.0
    for x, y in loader:
        logits = model(x)
        loss += (F.binary_cross_entropy_with_logits(logits, y) + soft_dice(logits, y)).item() * len(x)
        p = (logits > 0).numpy()
        t = y.numpy() > 0.5
        inter += np.logical_and(p, t).sum()
        union += np.logical_or(p, t).sum()
        pred_area += p.sum()
        true_area += t.sum()
    return loss / len(loader.dataset), inter / max(union, 1), pred_area / true_area


def main(path):
    with open(path, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["seed"])
    train_tf = Transform(**cfg["transform"]["train"])
    val_tf = Transform(**cfg["transform"]["val"])
    train_loader = DataLoader(as_dataset(*make_set(cfg["data"]["n_train"], 41), train_tf),
                              cfg["optim"]["batch_size"], shuffle=True)
    val_loader = DataLoader(as_dataset(*make_set(cfg["data"]["n_val"], 42), val_tf), 64)

    model = SmallUNet(cfg["model"]["width"])
    epochs = cfg["optim"]["epochs"]
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["optim"]["lr"], total_steps=epochs * len(train_loader),
                                                pct_start=0.2)

    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in train_loader:
            x, y = train_tf.augment(x, y)
            logits = model(x)
            loss = F.binary_cross_entropy_with_logits(logits, y) + soft_dice(logits, y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(x)
        val_loss, iou, area = evaluate(model, val_loader)
        print(f"epoch {epoch + 1:2d}/{epochs}  train {total / len(train_loader.dataset):.4f}  val {val_loss:.4f}  "
              f"IoU {iou:.3f}  area ratio {area:.2f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "config.toml")
