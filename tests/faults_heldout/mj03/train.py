import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from seg.average import WeightAverage
from seg.model import SmallUNet

ROOT = Path(__file__).parent


def load(cfg):
    z = np.load(ROOT / cfg["data"])
    img = z["image"].astype(np.float32)
    mask = np.unpackbits(z["mask"], axis=1).reshape(img.shape).astype(np.float32)
    n = cfg["n_train"]
    mean, std = img[:n].mean(), img[:n].std()
    img = torch.from_numpy((img - mean) / std)[:, None]
    mask = torch.from_numpy(mask)[:, None]
    return TensorDataset(img[:n], mask[:n]), TensorDataset(img[n:], mask[n:])


@torch.no_grad()
def validate(net, loader):
    inter = union = loss = n = 0
    for x, m in loader:
        logit = net(x)
        loss += F.binary_cross_entropy_with_logits(logit, m).item() * len(x)
        n += len(x)
        pred, true = logit > 0, m > 0.5
        inter += (pred & true).sum().item()
        union += (pred | true).sum().item()
    return loss / n, inter / max(union, 1)


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_set, val_set = load(cfg)
    train = DataLoader(train_set, cfg["batch_size"], shuffle=True)
    val = DataLoader(val_set, 40)
    net = SmallUNet(cfg["width"])
    ema = WeightAverage(net, cfg["ema_decay"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    for epoch in range(cfg["epochs"]):
        net.train()
        running = 0.0
        for x, m in train:
            if torch.rand(()) < 0.5:
                x, m = x.flip(-1), m.flip(-1)
            loss = F.binary_cross_entropy_with_logits(net(x), m)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            ema.update(net)
            running += loss.item() * len(x)
        vl, iou = validate(ema.model, val)
        print(f"epoch {epoch:2d} train_loss={running / len(train_set):.4f} val_loss={vl:.4f} val_iou={iou:.4f}")
    torch.save(ema.model.state_dict(), ROOT / "nuclei_unet.pt")


if __name__ == "__main__":
    main()
