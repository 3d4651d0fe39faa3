import json
import pathlib

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from seg.blobs import Blobs
from seg.unet import TinyUNet

cfg = json.load(open(pathlib.Path(__file__).with_name("cfg.json")))


def soft_dice(logits, m):
    p = logits.sigmoid()
    return 1 - (2 * (p * m).sum((1, 2, 3)) + 1) / (p.sum((1, 2, 3)) + m.sum((1, 2, 3)) + 1)


def criterion(logits, m):
    return F.binary_cross_entropy_with_logits(logits, m) + soft_dice(logits, m).mean()


@torch.no_grad()
def iou(model, dl):
    model.eval()
    inter = union = 0.0
    for x, m in dl:
        p = model(x) > 0
        inter += (p & (m > 0)).sum().item()
        union += (p | (m > 0)).sum().item()
    return inter / union


def main():
    torch.manual_seed(cfg["seed"])
    train = DataLoader(Blobs(cfg["n_train"], 0), batch_size=cfg["micro_batch"], shuffle=True)
    val = DataLoader(Blobs(cfg["n_val"], 1), batch_size=32)
    model = TinyUNet()
    opt = torch.optim.SGD(model.parameters(), **cfg["optimizer"])
    k = cfg["accumulate"]
    for epoch in range(cfg["epochs"]):
        model.train()
        total = 0.0
        for i, (x, m) in enumerate(train):
            loss = criterion(model(x), m)
            loss.backward()
            total += loss.item()
            if (i + 1) % k == 0:
                opt.step()
                opt.zero_grad()
        print(f"epoch {epoch} loss {total / len(train):.4f} val IoU {iou(model, val):.3f}")


if __name__ == "__main__":
    main()
