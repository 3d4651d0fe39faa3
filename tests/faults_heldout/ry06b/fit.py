import json

import numpy as np
import torch

from hazard import DiscreteSurvivalLoss, HazardNet


def concordance(risk, duration, failed):
    earlier = (duration[:, None] < duration[None]) & failed[:, None]
    higher = (risk[:, None] > risk[None]).float() + 0.5 * (risk[:, None] == risk[None]).float()
    return (higher * earlier).sum().item() / earlier.sum().item()


def expected_weeks(hazard):
    return torch.cumprod(1 - hazard, dim=1).sum(1)


def main():
    with open("survival.json") as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    z = np.load("pumps.npz")
    x = torch.from_numpy(z["x"].astype(np.float32))
    duration = torch.from_numpy(z["week"].astype(np.int64))
    failed = torch.from_numpy(z["failed"])
    perm = torch.randperm(len(x))
    test, train = perm[: len(x) // 4], perm[len(x) // 4 :]
    x = (x - x[train].mean(0)) / x[train].std(0)

    model = HazardNet(x.shape[1], cfg["weeks"], cfg["hidden"])
    criterion = DiscreteSurvivalLoss(cfg["weeks"], cfg["floor"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])

    for epoch in range(cfg["epochs"]):
        model.train()
        losses = []
        for idx in train[torch.randperm(len(train))].split(cfg["batch_size"]):
            optimizer.zero_grad()
            loss = criterion(model(x[idx]), duration[idx], failed[idx])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 3 == 2:
            model.eval()
            with torch.no_grad():
                hz = model(x[test])
                nll = criterion(hz, duration[test], failed[test]).item()
            c = concordance(-expected_weeks(hz), duration[test], failed[test])
            print(f"epoch {epoch + 1:3d}  train nll {np.mean(losses):.4f}  test nll {nll:.4f}  c-index {c:.4f}")


if __name__ == "__main__":
    main()
