import sys
from pathlib import Path

import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader

from surrogate import ArmSurrogate, Config, load_arm_data

HERE = Path(__file__).resolve().parent


def evaluate(model, dataset):
    model.eval()
    q, p = dataset.tensors
    with torch.no_grad():
        err = (model(q) - p).pow(2).mean(0)
    r2 = 1 - err / p.var(0, unbiased=False)
    return err.mean().item(), r2.tolist()


def main(config_name="config.json"):
    cfg = Config.from_json(HERE / config_name)
    torch.manual_seed(cfg.seed)
    train_set, val_set = load_arm_data(HERE / cfg.data_file)
    loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True, drop_last=True)

    n_joints, n_out = train_set.tensors[0].shape[1], train_set.tensors[1].shape[1]
    model = ArmSurrogate(n_joints, n_out, cfg.width, cfg.depth)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=cfg.lr, epochs=cfg.epochs, steps_per_epoch=len(loader))

    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for q, p in loader:
            loss = mse_loss(model(q), p)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        if epoch % 5 == 4:
            val, r2 = evaluate(model, val_set)
            print(f"epoch {epoch + 1}: train {total / len(loader):.4f} val {val:.4f} "
                  + " ".join(f"R2_{axis}={v:.3f}" for axis, v in zip("xyz", r2)))


if __name__ == "__main__":
    main(*sys.argv[1:])
