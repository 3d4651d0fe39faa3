import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts

from finetune.backbone import Backbone, Transfer
from finetune.data import NEW_CLASSES, loaders

HERE = Path(__file__).resolve().parent


def run():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    torch.manual_seed(cfg["data"]["seed"])
    train, val = loaders(cfg["data"]["micro_batch"], cfg["data"]["seed"])

    backbone = Backbone()
    backbone.load_state_dict(torch.load(HERE / cfg["model"]["weights"], weights_only=True))
    model = Transfer(backbone, len(NEW_CLASSES))
    trainable = [p for p in model.parameters() if p.requires_grad]
    print(f"trainable {sum(p.numel() for p in trainable)} of {sum(p.numel() for p in model.parameters())} parameters")

    o, s = cfg["optim"], cfg["schedule"]
    opt = torch.optim.AdamW(trainable, lr=o["lr"], weight_decay=o["weight_decay"])
    updates = len(train) // o["accumulate"]
    sched = CosineAnnealingWarmRestarts(opt, T_0=s["first_cycle_epochs"] * updates, T_mult=s["cycle_mult"],
                                        eta_min=s["eta_min"])

    for epoch in range(s["epochs"]):
        model.train()
        total = seen = 0
        opt.zero_grad()
        for i, (x, y) in enumerate(train):
            if i >= updates * o["accumulate"]:
                break
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = F.cross_entropy(model(x), y, label_smoothing=0.05)
            (loss / o["accumulate"]).backward()
            total += loss.item() * len(x)
            seen += len(x)
            if (i + 1) % o["accumulate"] == 0:
                torch.nn.utils.clip_grad_norm_(trainable, o["clip_norm"])
                opt.step()
                opt.zero_grad()
                sched.step()

        model.eval()
        hit = n = 0
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            for x, y in val:
                hit += (model(x).argmax(1) == y).sum().item()
                n += len(x)
        print(f"epoch {epoch + 1:2d} loss {total / seen:.4f} val acc {hit / n:.4f} lr {sched.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    run()
