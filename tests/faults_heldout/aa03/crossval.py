import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from data import TicketData, kfold
from model import TicketEncoder


@dataclass
class Config:
    path: str = "tickets.tsv"
    folds: int = 2
    epochs: int = 3
    batch: int = 40
    lr: float = 2e-3
    weight_decay: float = 0.01
    seed: int = 17


def make_optimizer(module, cfg):
    decay = [p for p in module.parameters() if p.ndim >= 2]
    rest = [p for p in module.parameters() if p.ndim < 2]
    return torch.optim.AdamW(
        [{"params": decay, "weight_decay": cfg.weight_decay}, {"params": rest, "weight_decay": 0.0}], lr=cfg.lr
    )


def fit_fold(net, opt, data, idx, cfg):
    net.train()
    for epoch in range(cfg.epochs):
        total = 0.0
        for rows in idx[torch.randperm(len(idx))].split(cfg.batch):
            opt.zero_grad()
            loss = F.cross_entropy(net(data.ids[rows]), data.y[rows])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(rows)
        print(f"    epoch {epoch + 1} loss {total / len(idx):.4f}")


@torch.no_grad()
def accuracy(net, data, idx):
    net.eval()
    return (net(data.ids[idx]).argmax(1) == data.y[idx]).float().mean().item()


def cross_validate(model, data, cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    scores = []
    for fold, (train_idx, val_idx) in enumerate(kfold(len(data), cfg.folds, gen)):
        # every fold starts from the same initial weights
        net = copy.deepcopy(model)
        opt = make_optimizer(model, cfg)
        print(f"fold {fold + 1}")
        fit_fold(net, opt, data, train_idx, cfg)
        scores.append(accuracy(net, data, val_idx))
        print(f"    accuracy {scores[-1]:.3f}")
    return scores


if __name__ == "__main__":
    cfg = Config()
    torch.manual_seed(cfg.seed)
    data = TicketData(cfg.path)
    model = TicketEncoder(len(data.vocab), len(data.labels))
    scores = cross_validate(model, data, cfg)
    print(f"mean accuracy over {cfg.folds} folds: {sum(scores) / len(scores):.3f}")
