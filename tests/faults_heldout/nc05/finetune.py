from pathlib import Path

import torch
import torch.nn.functional as F

from transfer.backbone import build_backbone
from transfer.classifier import TransferClassifier, build_optimizer
from transfer.config import Config
from transfer.data import few_shot_split, minibatches

ROOT = Path(__file__).resolve().parent


def run_epoch(model, optimizer, x, y, batch_size, generator):
    model.train()
    losses = []
    for xb, yb in minibatches(x, y, batch_size, generator):
        loss = F.cross_entropy(model(xb), yb, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    generator = torch.Generator().manual_seed(cfg.seed)
    (x_tr, y_tr), (x_va, y_va) = few_shot_split(cfg.classes, cfg.shots_per_class, cfg.seed)
    backbone = build_backbone(cfg.backbone, ROOT)
    model = TransferClassifier(backbone, cfg.head, len(cfg.classes), cfg.backbone.freeze)
    optimizer = build_optimizer(model, cfg)
    steps = cfg.epochs * -(-len(y_tr) // cfg.batch_size)
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"{len(y_tr)} training images, {len(y_va)} validation images, {trainable} trainable parameters, {steps} steps")
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs)
    for epoch in range(1, cfg.epochs + 1):
        loss = run_epoch(model, optimizer, x_tr, y_tr, cfg.batch_size, generator)
        scheduler.step()
        if epoch % 4 == 0 or epoch == 1:
            print(f"epoch {epoch:2d} loss {loss:.4f} "
                  f"train acc {accuracy(model, x_tr, y_tr):.3f} val acc {accuracy(model, x_va, y_va):.3f}")


if __name__ == "__main__":
    main()
