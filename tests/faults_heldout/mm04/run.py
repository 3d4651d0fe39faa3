from dataclasses import dataclass

import torch
import torch.nn.functional as F

from data import load
from mae import MAE, Classifier, PatchEncoder


@dataclass
class Cfg:
    pre_epochs: int = 40
    pre_lr: float = 3e-3
    mask: float = 0.625
    probe_epochs: int = 20
    probe_lr: float = 3e-3
    ft_epochs: int = 10
    ft_lr: float = 3e-4
    ft_head_lr: float = 1e-3
    labels: int = 900
    batch: int = 128


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        out = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return out


def pretrain(cfg, xtr, xte):
    mae = MAE(PatchEncoder())
    opt = torch.optim.AdamW(mae.parameters(), cfg.pre_lr, betas=(0.9, 0.95), weight_decay=0.02)
    total = cfg.pre_epochs * -(-len(xtr) // cfg.batch)
    warm = total // 10
    sched = torch.optim.lr_scheduler.SequentialLR(opt, [
        torch.optim.lr_scheduler.LinearLR(opt, 0.05, 1.0, warm),
        torch.optim.lr_scheduler.CosineAnnealingLR(opt, total - warm)], [warm])
    for ep in range(1, cfg.pre_epochs + 1):
        s = n = 0
        for b in torch.randperm(len(xtr)).split(cfg.batch):
            loss = mae(xtr[b], cfg.mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            s += loss.item() * len(b); n += len(b)
        if ep % 5 == 0 or ep == 1:
            mae.eval()
            with torch.no_grad():
                v = mae(xte, cfg.mask).item()
            mae.train()
            print(f"[mae]   epoch {ep:3d} masked mse {s/n:.4f}  held-out {v:.4f}")
    return mae.encoder


def supervised(tag, model, opt, epochs, x, y, xte, yte, batch):
    for ep in range(1, epochs + 1):
        s = n = 0
        for b in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(b); n += len(b)
        if ep % 5 == 0 or ep == 1:
            print(f"[{tag}] epoch {ep:3d} loss {s/n:.4f}  test acc {accuracy(model, xte, yte):.4f}")


def main():
    cfg = Cfg()
    torch.manual_seed(5)
    xtr, ytr, xte, yte = load()
    enc = pretrain(cfg, xtr, xte)
    xl, yl = xtr[:cfg.labels], ytr[:cfg.labels]

    clf = Classifier(enc)
    enc.requires_grad_(False)
    supervised("probe", clf, torch.optim.Adam(clf.head.parameters(), cfg.probe_lr), cfg.probe_epochs,
               xl, yl, xte, yte, cfg.batch)

    enc.requires_grad_(True)
    opt = torch.optim.AdamW([{"params": enc.parameters(), "lr": cfg.ft_lr},
                             {"params": clf.head.parameters(), "lr": cfg.ft_head_lr}], weight_decay=0.05)
    supervised("tune ", clf, opt, cfg.ft_epochs, xl, yl, xte, yte, 32)
    print(f"final test accuracy with {cfg.labels} labels: {accuracy(clf, xte, yte):.4f}")


if __name__ == "__main__":
    main()
