"""
Adapts the digit reader of scanner A to scanner B.

The network comes with weights trained on scanner A (scanner_a.pt). Edges look alike on both machines, so the
stem stays as it is; the body moves slowly, the head faster. The batch norm layers keep the running statistics
of the large scanner-A set: 16 images per batch are too few to estimate them again.
"""
import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from net import ScanNet

HERE = Path(__file__).resolve().parent


def set_train(model):
    model.train()
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.eval()


def jitter(x):
    """Shifts every image of the batch by at most one pixel; the border is repeated."""
    b = x.size(0)
    big = F.pad(x, (1, 1, 1, 1), mode="replicate")[:, 0]
    off = torch.randint(0, 3, (b, 2))
    r, c = off[:, :1] + torch.arange(8), off[:, 1:] + torch.arange(8)
    return big[torch.arange(b)[:, None, None], r[:, :, None], c[:, None, :]].unsqueeze(1)


@torch.no_grad()
def test(model, x, y):
    model.eval()
    out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(cfg_path):
    cfg = json.loads(cfg_path.read_text())
    torch.manual_seed(cfg["seed"])
    raw = np.load(HERE / cfg["data"])
    part = {k: (torch.tensor(raw[f"x_{k}"], dtype=torch.float32)[:, None] / 255, torch.tensor(raw[f"y_{k}"]).long())
            for k in ("train", "val", "test")}
    ckpt = torch.load(HERE / cfg["checkpoint"], weights_only=True)
    norm_mean, norm_std = ckpt["mean"], ckpt["std"]
    part = {k: ((x - norm_mean) / norm_std, y) for k, (x, y) in part.items()}

    model = ScanNet()
    model.load_state_dict(ckpt["model"])
    for p in model.stem.parameters():
        p.requires_grad_(False)

    groups = [{"params": model.body.parameters(), "lr": cfg["lr_body"]},
              {"params": model.head.parameters(), "lr": cfg["lr_head"]}]
    opt = torch.optim.AdamW(groups, weight_decay=cfg["weight_decay"])
    loader = DataLoader(TensorDataset(*part["train"]), batch_size=cfg["batch_size"], shuffle=True)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=cfg["epochs"] * len(loader))

    print("before: val loss {:.4f} acc {:.3f}".format(*test(model, *part["val"])))
    for epoch in range(1, cfg["epochs"] + 1):
        set_train(model)
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(jitter(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
        vl, va = test(model, *part["val"])
        print(f"epoch {epoch:2d}  train {total / len(loader.dataset):.4f}  val {vl:.4f}  acc {va:.3f}")
    print("after: test loss {:.4f} acc {:.3f}".format(*test(model, *part["test"])))
    torch.save({"model": model.state_dict(), "mean": norm_mean, "std": norm_std}, HERE / "scanner_b.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "finetune.json")
