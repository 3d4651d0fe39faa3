import copy
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split

HERE = Path(__file__).parent
CATS = ["plan", "payment", "contract"]
NUMS = ["tenure", "monthly_fee", "support_calls", "data_gb", "age"]


class ChurnNet(nn.Module):
    def __init__(self, sizes, n_num, hidden, dropout):
        super().__init__()
        self.embeds = nn.ModuleList([nn.Embedding(s, 3) for s in sizes])
        self.body = nn.Sequential(
            nn.Linear(n_num + 3 * len(sizes), hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2), nn.ReLU(),
        )
        self.out = nn.Linear(hidden // 2, 1)

    def forward(self, num, cat):
        e = [emb(cat[:, i]) for i, emb in enumerate(self.embeds)]
        return self.out(self.body(torch.cat([num, *e], dim=1))).squeeze(1)


def prepare(cfg):
    df = pd.read_csv(HERE / cfg["data"]).drop_duplicates(subset="customer")
    df["y"] = (df["churned"] == "yes").astype(int)
    df["data_gb"] = np.log1p(df["data_gb"])
    rest, test = train_test_split(df, test_size=0.2, stratify=df["y"], random_state=cfg["seed"])
    train, val = train_test_split(rest, test_size=0.2, stratify=rest["y"], random_state=cfg["seed"])
    med = train[NUMS].median()
    mu, sd = train[NUMS].fillna(med).mean(), train[NUMS].fillna(med).std()
    # index 0 stands for levels that the training part has not seen
    maps = {c: {v: i + 1 for i, v in enumerate(sorted(train[c].unique()))} for c in CATS}

    def tensors(part):
        num = ((part[NUMS].fillna(med) - mu) / sd).to_numpy(np.float32)
        cat = np.stack([part[c].map(maps[c]).fillna(0).to_numpy(np.int64) for c in CATS], 1)
        return torch.from_numpy(num), torch.from_numpy(cat), torch.tensor(part["y"].to_numpy(), dtype=torch.float32)

    return [tensors(p) for p in (train, val, test)], [len(m) + 1 for m in maps.values()]


@torch.no_grad()
def score(model, part):
    model.eval()
    num, cat, y = part
    logits = model(num, cat)
    return F.binary_cross_entropy_with_logits(logits, y).item(), torch.sigmoid(logits).numpy()


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    if len(sys.argv) > 1:
        cfg["seed"] = int(sys.argv[1])
    torch.manual_seed(cfg["seed"])
    (train, val, test), sizes = prepare(cfg)
    model = ChurnNet(sizes, len(NUMS), cfg["hidden"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=4)

    n, bs = len(train[2]), cfg["batch_size"]
    best, best_epoch, best_state = float("inf"), 0, None
    for epoch in range(1, cfg["max_epochs"] + 1):
        model.train()
        perm = torch.randperm(n)
        for idx in perm.split(bs):
            num, cat, y = (t[idx] for t in train)
            loss = F.binary_cross_entropy_with_logits(model(num, cat), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        tl, _ = score(model, train)
        vl, vp = score(model, val)
        plateau.step(vl)
        if vl < best:
            best, best_epoch, best_state = vl, epoch, copy.deepcopy(model.state_dict())
        print(f"{epoch:3d} train {tl:.4f} val {vl:.4f} auc {roc_auc_score(val[2], vp):.4f} lr {opt.param_groups[0]['lr']:.1e}")
        if epoch - best_epoch >= cfg["patience"]:
            print("early stop, best epoch", best_epoch)
            break

    model.load_state_dict(best_state)
    tl, p = score(model, test)
    y = test[2].numpy()
    recall = ((p > 0.5) & (y == 1)).sum() / (y == 1).sum()
    print(f"test: logloss {tl:.4f} auc {roc_auc_score(y, p):.4f} ap {average_precision_score(y, p):.4f} "
          f"acc {((p > 0.5) == y).mean():.4f} recall {recall:.3f}")


if __name__ == "__main__":
    main()
