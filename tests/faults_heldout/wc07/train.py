import numpy as np
import torch

from soc.config import Config
from soc.data import load
from soc.estimator import SocEstimator
from soc.loop import mean_abs_error, train_epoch


def main(cfg=Config()):
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(cfg.seed)
    train, val = load(cfg.val_cycles)
    model = SocEstimator(cfg.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg.epochs, eta_min=2e-4)

    baseline = 100 * (val.soc - train.soc.mean()).abs().mean().item()
    print(f"{len(train)} training cycles, {len(val)} held out; constant prediction: MAE {baseline:.2f} %SOC")
    for epoch in range(cfg.epochs):
        mse = train_epoch(model, train, optimizer, cfg, rng)
        scheduler.step()
        print(f"epoch {epoch + 1:3d}  train rmse {100 * mse ** 0.5:6.2f} %SOC   val MAE {mean_abs_error(model, val, cfg):6.2f} %SOC")


if __name__ == "__main__":
    main()
