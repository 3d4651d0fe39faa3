from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from stopper import BestKeeper

torch.manual_seed(19)
np.random.seed(19)


def read():
    raw = np.load(Path(__file__).parent / "assay.npz")
    ds = TensorDataset(torch.from_numpy(raw["x"]), torch.from_numpy(raw["y"]))
    return random_split(ds, [2800, 600, 600], generator=torch.Generator().manual_seed(19))


def stats(split):
    y = torch.stack([t for _, t in split])
    return y.mean(), y.std()


def r2(model, loader, center, scale):
    model.eval()
    preds, ys = [], []
    with torch.no_grad():
        for x, y in loader:
            preds.append(model(x).squeeze(-1) * scale + center)
            ys.append(y)
    p, y = torch.cat(preds), torch.cat(ys)
    mse = (p - y).pow(2).mean()
    return mse.item(), (1 - mse / y.var(unbiased=False)).item()


def main(max_epochs=80, patience=8):
    train, val, test = read()
    center, scale = stats(train)
    loaders = {
        "train": DataLoader(train, batch_size=32, shuffle=True),
        "val": DataLoader(val, batch_size=600),
        "test": DataLoader(test, batch_size=600),
    }
    model = nn.Sequential(
        nn.Linear(18, 40), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(40, 20), nn.ReLU(),
        nn.Linear(20, 1),
    )
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    keeper = BestKeeper(patience)

    for epoch in range(max_epochs):
        model.train()
        for x, y in loaders["train"]:
            loss = nn.functional.mse_loss(model(x).squeeze(-1), (y - center) / scale)
            opt.zero_grad()
            loss.backward()
            opt.step()
        tr_mse, tr_r2 = r2(model, loaders["train"], center, scale)
        va_mse, va_r2 = r2(model, loaders["val"], center, scale)
        print(f"{epoch:3d} train mse {tr_mse:.3f} r2 {tr_r2:.3f} | val mse {va_mse:.3f} r2 {va_r2:.3f}")
        if keeper.update(epoch, va_mse, model):
            print(f"no improvement for {patience} epochs, going back to epoch {keeper.best_epoch}")
            break

    keeper.restore(model)
    mse, score = r2(model, loaders["test"], center, scale)
    print(f"test mse {mse:.3f} r2 {score:.3f}")


if __name__ == "__main__":
    main()
