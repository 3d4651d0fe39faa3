"""Day-ahead heat demand with 10/50/90 % quantiles."""
from pathlib import Path
from types import SimpleNamespace

import torch
from torch.utils.data import DataLoader

from forecaster import QuantileForecaster, pinball
from series import Scaler, WindowStream, read

HERE = Path(__file__).parent
cfg = SimpleNamespace(history=48, horizon=24, stride=4, buffer=512, batch=32, epochs=14, lr=4e-3, seed=6)


def evaluate(model, loader, scale):
    model.eval()
    loss = n = inside = abs_err = 0.0
    with torch.no_grad():
        for past, future, target in loader:
            p = model(past, future)
            loss += pinball(p, target).sum().item()
            inside += ((target >= p[..., 0]) & (target <= p[..., 2])).sum().item()
            abs_err += (p[..., 1] - target).abs().sum().item()
            n += target.numel()
    return loss / (3 * n), inside / n, abs_err / n * scale


def main():
    torch.manual_seed(cfg.seed)
    load, extra = read(HERE / "district_heat.csv")
    n = len(load)
    a, b = int(0.75 * n), int(0.87 * n)
    sl, se = Scaler(load[:a]), Scaler(extra[:a])
    z, e = sl(load), se(extra)

    train = WindowStream(z[:a], e[:a], cfg.history, cfg.horizon, cfg.stride, cfg.buffer, cfg.seed)
    val = WindowStream(z[a:b], e[a:b], cfg.history, cfg.horizon, stride=6)
    test = WindowStream(z[b:], e[b:], cfg.history, cfg.horizon, stride=24)
    train_loader = DataLoader(train, batch_size=cfg.batch)
    val_loader, test_loader = DataLoader(val, batch_size=64), DataLoader(test, batch_size=64)

    week = (load[b + 168:] - load[b:-168]).abs().mean().item()
    print(f"{a} training hours; same hour last week as forecast: mae {week:.2f} MW")

    model = QuantileForecaster(extra.size(1), cfg.horizon)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for epoch in range(cfg.epochs):
        train.set_epoch(epoch)
        model.train()
        total, seen = 0.0, 0
        for past, future, target in train_loader:
            loss = pinball(model(past, future), target).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(target)
            seen += len(target)
        sched.step()
        v, cover, mae = evaluate(model, val_loader, sl.std.item())
        print(f"epoch {epoch + 1:2d}  windows {seen}  train {total / seen:.4f}  val {v:.4f}  "
              f"80% band covers {cover:.3f}  median mae {mae:.2f} MW")

    v, cover, mae = evaluate(model, test_loader, sl.std.item())
    print(f"test pinball {v:.4f}  80% band covers {cover:.3f}  median mae {mae:.2f} MW")


if __name__ == "__main__":
    main()
