from dataclasses import dataclass

import torch
import torch.nn.functional as F

from forecaster import Forecaster, orthogonal_weights
from windows import loaders


@dataclass
class Config:
    context: int = 72
    horizon: int = 12
    batch_size: int = 64
    epochs: int = 8
    lr: float = 1e-3
    weight_decay: float = 1e-4
    seed: int = 20


def build(cfg):
    net = Forecaster(cfg.context, cfg.horizon)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    return net, opt


@torch.no_grad()
def validate(net, loader):
    net.eval()
    se, ae, n = 0.0, 0.0, 0
    for x, y in loader:
        err = net(x) - y
        se += err.square().sum().item()
        ae += err.abs().sum().item()
        n += err.numel()
    return se / n, ae / n


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_loader, valid_loader = loaders(cfg.context, cfg.horizon, cfg.batch_size)
    net, opt = build(cfg)
    net = orthogonal_weights(net)
    print(f"{sum(p.numel() for p in net.parameters()):,} parameters, {len(train_loader)} steps/epoch")

    for epoch in range(cfg.epochs):
        net.train()
        running = 0.0
        for x, y in train_loader:
            loss = F.mse_loss(net(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item()
        mse, mae = validate(net, valid_loader)
        print(f"[{epoch + 1}/{cfg.epochs}] train {running / len(train_loader):.4f} | valid mse {mse:.4f} mae {mae:.4f}")


if __name__ == "__main__":
    main()
