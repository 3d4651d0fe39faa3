import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from promoter.model import RegionNet
from promoter.regions import read


@dataclass
class Config:
    file: str = "regions.txt"
    micro_batch: int = 24
    accumulate: int = 2
    epochs: int = 5
    lr: float = 3e-3
    warmup: int = 60
    weight_decay: float = 0.02
    seed: int = 190


def make_optimizer(net, cfg):
    matrices = [p for n, p in net.named_parameters() if p.ndim > 1 and n != "place"]
    rest = [p for n, p in net.named_parameters() if p.ndim <= 1 or n == "place"]
    return torch.optim.AdamW([{"params": matrices, "weight_decay": cfg.weight_decay},
                              {"params": rest, "weight_decay": 0.0}], lr=cfg.lr)


def evaluate(net, loader):
    net.eval()
    loss, right, n = 0.0, 0, 0
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for s, y in loader:
            out = net(s).float()
            loss += F.cross_entropy(out, y, reduction="sum").item()
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, right / n


def main(cfg):
    torch.manual_seed(cfg.seed)
    seqs, labels = read(cfg.file)
    perm = torch.randperm(len(labels))
    tr, va = perm[:4320], perm[4320:]
    train = DataLoader(TensorDataset(seqs[tr], labels[tr]), batch_size=cfg.micro_batch, shuffle=True, drop_last=True)
    val = DataLoader(TensorDataset(seqs[va], labels[va]), batch_size=270)
    assert len(train) % cfg.accumulate == 0
    net = RegionNet()
    opt = make_optimizer(net, cfg)
    total = cfg.epochs * len(train) // cfg.accumulate

    def shape(s):
        up = min(1.0, (s + 1) / cfg.warmup)
        return up * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(s, total) / total)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, shape)
    for epoch in range(1, cfg.epochs + 1):
        net.train()
        run = 0.0
        for k, (s, y) in enumerate(train, 1):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(s)
            loss = F.cross_entropy(out.float(), y)
            (loss / cfg.accumulate).backward()
            run += loss.item()
            if k % cfg.accumulate == 0:
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad(set_to_none=True)
        vl, acc = evaluate(net, val)
        print(f"epoch {epoch:2d} | train {run / len(train):.4f} | val {vl:.4f} | accuracy {acc:.3f}")


if __name__ == "__main__":
    main(Config())
