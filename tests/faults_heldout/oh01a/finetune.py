"""Fine-tune a motif trunk (from the atlas release) end to end on one ChIP assay."""
import json

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

import nets

cfg = json.load(open("finetune.json"))
torch.manual_seed(cfg["seed"])


def one_hot(codes):
    return F.one_hot(torch.from_numpy(codes).long(), 4).float().transpose(1, 2).contiguous()


def load(path):
    z = np.load(path)
    packed = z["seq"]
    codes = np.stack([(packed >> s) & 3 for s in (0, 2, 4, 6)], -1).reshape(len(packed), -1)
    y = torch.from_numpy(z["bound"].astype(np.float32))
    tr, va = z["fold"] != 4, z["fold"] == 4
    x = one_hot(codes)
    return x[tr], y[tr], x[va], y[va]


@torch.no_grad()
def score(model, x, y):
    model.eval()
    logit = torch.cat([model(c) for c in x.split(500)])
    model.train()
    return F.binary_cross_entropy_with_logits(logit, y).item(), roc_auc_score(y.numpy(), logit.numpy())


def main():
    x, y, xv, yv = load(cfg["data"])
    trunk = torch.load(cfg["trunk"], weights_only=False)
    model = nets.BindingModel(trunk, cfg["hidden"])
    opt = torch.optim.AdamW(
        [
            {"params": model.trunk.parameters(), "lr": cfg["lr_trunk"]},
            {"params": model.readout.parameters(), "lr": cfg["lr_readout"]},
        ],
        weight_decay=cfg["weight_decay"],
    )
    steps = cfg["epochs"] * (len(x) // cfg["batch"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    print(f"{len(x)} train / {len(xv)} held out, fine-tuning trunk and readout")
    for ep in range(cfg["epochs"]):
        model.train()
        run = 0.0
        perm = torch.randperm(len(x))
        n = len(x) // cfg["batch"]
        for i in range(n):
            idx = perm[i * cfg["batch"]:(i + 1) * cfg["batch"]]
            xb = x[idx]
            if torch.rand(()) < 0.5:  # reverse complement
                xb = xb.flip(1).flip(2)
            loss = F.binary_cross_entropy_with_logits(model(xb), y[idx])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            run += loss.item()
        bce, auc = score(model, xv, yv)
        print(f"epoch {ep:2d}  train {run / n:.4f}  held-out {bce:.4f}  auroc {auc:.4f}")


if __name__ == "__main__":
    main()
