"""Weekly refresh of the rating model: goes on from last week's weights with the new ratings."""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from ncf import NCF
from settings import Settings


def rmse(model, loader):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for u, i, r in loader:
            se += ((model(u, i) - r) ** 2).sum().item()
            n += len(r)
    return (se / n) ** 0.5


def main(s: Settings):
    torch.manual_seed(s.seed)
    z = np.load(s.ratings)
    data = TensorDataset(
        torch.from_numpy(z["user"]).long(),
        torch.from_numpy(z["item"]).long(),
        torch.from_numpy(z["stars"]).float(),
    )
    n_val = len(data) // 6
    train, val = random_split(data, [len(data) - n_val, n_val])
    train_loader = DataLoader(train, batch_size=s.batch_size, shuffle=True)
    val_loader = DataLoader(val, batch_size=2048)

    ckpt = torch.load(s.warm_start)
    model = NCF(ckpt["n_users"], ckpt["n_items"], s.dim, s.hidden)
    model.load_state_dict(ckpt["state_dict"])
    stars = data.tensors[2]
    print(f"warm start: week {ckpt['week']}; {len(train)} ratings, std {stars.std():.3f}, val RMSE before {rmse(model, val_loader):.3f}")

    optimizer = torch.optim.Adam(model.parameters(), lr=s.lr, weight_decay=s.weight_decay)
    for epoch in range(s.epochs):
        model.train()
        total = 0.0
        for u, i, r in train_loader:
            loss = torch.nn.functional.mse_loss(model(u, i), r)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(r)
        print(f"epoch {epoch + 1}/{s.epochs} train RMSE {(total / len(train)) ** 0.5:.4f} val RMSE {rmse(model, val_loader):.4f}")


if __name__ == "__main__":
    main(Settings())
