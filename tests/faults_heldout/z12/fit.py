from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from tabular.features import read, split_and_scale
from tabular.network import EntityNet


@torch.no_grad()
def r2(model, cats, nums, y):
    return 1 - (model(cats, nums) - y).pow(2).mean().item() / y.var().item()


def main():
    torch.manual_seed(13)
    cats, nums, target = read(Path(__file__).with_name("listings.csv"))
    train, val = split_and_scale(cats, nums, target)
    model = EntityNet([int(c) + 1 for c in cats.max(0)], nums.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    loader = DataLoader(TensorDataset(*train), batch_size=64, shuffle=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=4e-3, total_steps=20 * len(loader))
    for epoch in range(20):
        total = 0.0
        for c, n, y in loader:
            loss = torch.nn.functional.mse_loss(model(c, n), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(y)
        print(f"epoch {epoch:2d}  train mse {total / len(train[2]):.4f}  val R2 {r2(model, *val):.4f}")


if __name__ == "__main__":
    main()
