from pathlib import Path

import torch
import yaml
from torch.utils.data import DataLoader

from spotter.losses import detection_loss, iou
from spotter.net import Spotter
from spotter.scenes import SHAPES, build_sets


def evaluate(model, loader):
    model.eval()
    hits, overlap, n = 0, 0.0, 0
    with torch.no_grad():
        for x, y, b in loader:
            logits, boxes = model(x)
            hits += (logits.argmax(1) == y).sum().item()
            overlap += iou(boxes, b).sum().item()
            n += len(y)
    return hits / n, overlap / n


def main():
    cfg = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    d, o = cfg["data"], cfg["optim"]
    train_set, val_set = build_sets(cfg["seed"], **cfg["scene"], n_train=d["n_train"], n_val=d["n_val"])
    train_loader = DataLoader(train_set, batch_size=d["batch_size"], shuffle=True)
    val_loader = DataLoader(val_set, batch_size=250)

    model = Spotter(cfg["model"]["width"], cfg["scene"]["canvas"], len(SHAPES))
    opt = torch.optim.SGD(model.parameters(), lr=o["lr"], momentum=o["momentum"], nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=4 * o["lr"], epochs=o["epochs"], steps_per_epoch=len(train_loader))

    for epoch in range(o["epochs"]):
        model.train()
        cls_sum = box_sum = 0.0
        for x, y, b in train_loader:
            logits, boxes = model(x)
            loss, cls, box = detection_loss(logits, boxes, y, b, **cfg["loss"])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), o["clip"])
            opt.step()
            sched.step()
            cls_sum += cls.item()
            box_sum += box.item()
        acc, overlap = evaluate(model, val_loader)
        k = len(train_loader)
        print(f"epoch {epoch + 1:2d}  cls {cls_sum / k:.3f}  box {box_sum / k:.3f}  val acc {acc:.3f}  iou {overlap:.3f}")


if __name__ == "__main__":
    main()
