"""Which pumps fail within the next 30 days? Roughly two in nine do."""
import configparser

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from features import Standardizer, read_table


def build(num_in, hidden):
    return nn.Sequential(
        nn.Linear(num_in, hidden),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(hidden, hidden // 2),
        nn.ReLU(),
        nn.Linear(hidden // 2, 1),
    )


@torch.no_grad()
def score(model, x, y, criterion):
    model.eval()
    logits = model(x).squeeze(1)
    loss = criterion(logits, y).item()
    p = torch.sigmoid(logits).numpy()
    return loss, roc_auc_score(y.numpy(), p), average_precision_score(y.numpy(), p)


def main():
    cfg = configparser.ConfigParser()
    cfg.read("config.ini")
    torch.manual_seed(cfg.getint("data", "seed"))

    num, site, y = read_table(cfg.get("data", "path"))
    idx_tr, idx_va = train_test_split(
        np.arange(len(y)),
        test_size=cfg.getfloat("data", "valid_fraction"),
        stratify=y,
        random_state=cfg.getint("data", "seed"),
    )
    scale = Standardizer().fit(num[idx_tr])
    x = np.concatenate([scale(num), site], axis=1)
    x, y = torch.from_numpy(x), torch.from_numpy(y)

    x_tr, y_tr, x_va, y_va = x[idx_tr], y[idx_tr], x[idx_va], y[idx_va]
    loader = DataLoader(
        TensorDataset(x_tr, y_tr), batch_size=cfg.getint("train", "batch_size"), shuffle=True, drop_last=True
    )

    model = build(x.shape[1], cfg.getint("train", "hidden"))
    neg, pos = (y_tr == 0).sum(), (y_tr == 1).sum()
    criterion = nn.BCEWithLogitsLoss(pos_weight=neg / pos)
    print(f"{len(y_tr)} training rows, {int(pos)} failures, pos_weight {float(neg / pos):.2f}")

    opt = torch.optim.AdamW(
        model.parameters(), lr=cfg.getfloat("train", "lr"), weight_decay=cfg.getfloat("train", "weight_decay")
    )
    epochs = cfg.getint("train", "epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(1, epochs + 1):
        model.train()
        total, seen = 0.0, 0
        for xb, yb in loader:
            opt.zero_grad()
            loss = criterion(model(xb).squeeze(1), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
            seen += len(yb)
        sched.step()
        va_loss, auc, ap = score(model, x_va, y_va, criterion)
        print(f"epoch {epoch:2d}  train {total / seen:.4f}  valid {va_loss:.4f}  auc {auc:.4f}  ap {ap:.4f}")

    tr_loss, auc, ap = score(model, x_tr, y_tr, criterion)
    print(f"train set in eval mode: loss {tr_loss:.4f} auc {auc:.4f} ap {ap:.4f}; base rate {float(y_va.mean()):.4f}")


if __name__ == "__main__":
    main()
