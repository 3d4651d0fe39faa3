import tomllib

import torch
from torch.utils.data import DataLoader, TensorDataset

from features import Table
from regressor import PriceNet


def evaluate(model, tensors):
    model.eval()
    x, z, y = tensors
    with torch.no_grad():
        pred = model(x, z)
    mse = torch.mean((pred - y) ** 2).item()
    return mse, 1 - mse / y.var(unbiased=False).item()


def main():
    with open("config.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["train"]["seed"])
    table = Table(cfg["data"], torch.Generator().manual_seed(100))
    hp = cfg["train"]

    model = PriceNet(len(table.columns), table.n_zones, hidden=cfg["model"]["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=hp["lr"], weight_decay=hp["weight_decay"])
    loader = DataLoader(TensorDataset(*table.train), batch_size=hp["batch_size"], shuffle=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, hp["epochs"] * len(loader))

    for epoch in range(hp["epochs"]):
        model.train()
        total = 0.0
        for x, z, y in loader:
            loss = torch.nn.functional.mse_loss(model(x, z), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item() * len(y)
        if (epoch + 1) % 3 == 0:
            mse, r2 = evaluate(model, table.test)
            print(f"[{epoch + 1:02d}/{hp['epochs']}] train mse {total / len(table.train[2]):.4f}   test mse {mse:.4f}   R2 {r2:.3f}")


if __name__ == "__main__":
    main()
