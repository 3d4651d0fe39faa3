"""Contrastive pre-training on unlabelled digits, linear probe on 200 labels, then gentle fine-tuning."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from ssl_digits.net import Encoder, Projector
from ssl_digits.objective import nt_xent
from ssl_digits.views import TwoViews


@dataclass
class Cfg:
    pre_epochs: int = 25
    pre_batch: int = 256
    pre_lr: float = 2e-3
    labelled: int = 200
    probe_epochs: int = 60
    probe_lr: float = 1e-2
    ft_epochs: int = 15
    ft_lr: float = 3e-4
    layer_decay: float = 0.3
    seed: int = 3


def split(cfg):
    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16
    y = torch.tensor(y)
    tr, te = train_test_split(range(len(y)), test_size=400, stratify=y, random_state=cfg.seed)
    lab, _ = train_test_split(tr, train_size=cfg.labelled, stratify=y[tr], random_state=cfg.seed)
    return x[tr], (x[lab], y[lab]), (x[te], y[te])


def pretrain(enc, x, cfg):
    proj, views = Projector(enc.dim), TwoViews()
    opt = torch.optim.AdamW([*enc.parameters(), *proj.parameters()], lr=cfg.pre_lr, weight_decay=1e-4)
    steps = cfg.pre_epochs * (len(x) // cfg.pre_batch)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.pre_lr, total_steps=steps)
    enc.train()
    for ep in range(cfg.pre_epochs):
        total, k = 0.0, 0
        for idx in torch.randperm(len(x)).split(cfg.pre_batch):
            if len(idx) < cfg.pre_batch:
                continue
            a, b = views(x[idx])
            z = proj(enc(torch.cat([a, b])))
            loss = nt_xent(*z.chunk(2))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total, k = total + loss.item(), k + 1
        if ep % 5 == 4:
            print(f"[pretrain] epoch {ep + 1} nt-xent {total / k:.4f}")


@torch.no_grad()
def test(enc, head, x, y):
    enc.eval()
    return (head(enc(x)).argmax(1) == y).float().mean().item()


def linear_probe(enc, lab, te, cfg):
    x, y = lab
    enc.requires_grad_(False).eval()
    head = nn.Linear(enc.dim, 10)
    opt = torch.optim.Adam(head.parameters(), lr=cfg.probe_lr, weight_decay=1e-4)
    for ep in range(cfg.probe_epochs):
        for idx in torch.randperm(len(x)).split(50):
            loss = F.cross_entropy(head(enc(x[idx])), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if ep % 20 == 19:
            print(f"[probe] epoch {ep + 1} loss {loss.item():.4f} test acc {test(enc, head, *te):.4f}")
    return head


def fine_tune(enc, head, lab, te, cfg):
    x, y = lab
    enc.requires_grad_(True)
    groups = [{"params": m.parameters(), "lr": cfg.ft_lr * cfg.layer_decay ** d}
              for d, m in enumerate([head, enc.top, enc.mid, enc.stem])]
    opt = torch.optim.AdamW(groups, weight_decay=0.01)
    print("[finetune] lrs", [f"{g['lr']:.1e}" for g in opt.param_groups])
    views = TwoViews(noise=0.04)
    for ep in range(cfg.ft_epochs):
        enc.eval()  # running statistics stay those of pre-training
        total = 0.0
        for idx in torch.randperm(len(x)).split(50):
            loss = F.cross_entropy(head(enc(views.one(x[idx]))), y[idx], label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if ep % 5 == 4:
            print(f"[finetune] epoch {ep + 1} loss {total / len(x):.4f} test acc {test(enc, head, *te):.4f}")


def main():
    cfg = Cfg()
    torch.manual_seed(cfg.seed)
    unl, lab, te = split(cfg)
    enc = Encoder()
    pretrain(enc, unl, cfg)
    head = linear_probe(enc, lab, te, cfg)
    fine_tune(enc, head, lab, te, cfg)


if __name__ == "__main__":
    main()
