import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from anomaly.autoencoder import AutoEncoder
from anomaly.signals import cycles, worn_cycles


def main():
    cfg = SimpleNamespace(**json.loads((Path(__file__).parent / "settings.json").read_text()))
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    train = torch.from_numpy(cycles(800, rng))
    calib = torch.from_numpy(cycles(200, rng))
    test = torch.from_numpy(np.concatenate([cycles(200, rng), worn_cycles(200, rng)]))
    is_worn = np.repeat([0, 1], 200)
    mean, std = train.mean(), train.std()
    train, calib, test = ((v - mean) / std for v in (train, calib, test))

    model = AutoEncoder(train.shape[1], cfg.hidden, cfg.code)
    opt = torch.optim.NAdam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [cfg.epochs // 2, cfg.epochs * 5 // 6], gamma=0.2)
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        order = torch.randperm(len(train))
        mse = 0.0
        for idx in order.split(cfg.batch):
            clean = train[idx]
            rec = model(clean + cfg.noise * torch.randn_like(clean))
            loss = (rec - clean).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            mse += loss.item() * len(idx) / len(train)
        sched.step()
        if epoch % 6 == 0:
            model.eval()
            with torch.no_grad():
                held = model.score(calib)
                s = model.score(test).numpy()
            limit = held.quantile(0.95).item()
            recall = (s[is_worn == 1] > limit).mean()
            print(f"{epoch:3d} train {mse:.4f} held-out {held.mean():.4f} auc {roc_auc_score(is_worn, s):.3f} recall@5%fp {recall:.3f}")


if __name__ == "__main__":
    main()
