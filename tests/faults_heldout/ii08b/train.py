import configparser

import numpy as np
import torch
import torch.nn.functional as F

from demand import DemandNet, build_features, build_target


class Season:
    def __init__(self, path="season.ini"):
        ini = configparser.ConfigParser()
        ini.read(path)
        self.file = ini["data"]["file"]
        self.holdout_hours = 24 * ini["data"].getint("holdout_days")
        self.hidden = [int(w) for w in ini["model"]["hidden"].split(",")]
        self.warm_start = ini["model"].get("warm_start", "")
        t = ini["training"]
        self.epochs, self.batch_size = t.getint("epochs"), t.getint("batch_size")
        self.lr, self.seed = t.getfloat("lr"), t.getint("seed")


def split_days(x, y, holdout_hours, seed):
    """Whole days go either to training or to the holdout."""
    days = len(x) // 24
    order = np.random.default_rng(seed).permutation(days)
    held = np.zeros(days, dtype=bool)
    held[order[: holdout_hours // 24]] = True
    mask = torch.from_numpy(np.repeat(held, 24))
    return (x[~mask], y[~mask]), (x[mask], y[mask])


def report(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
    mae = (pred - y).abs().mean().item() * 100
    r2 = 1 - F.mse_loss(pred, y).item() / y.var(unbiased=False).item()
    return mae, r2


def main():
    season = Season()
    torch.manual_seed(season.seed)
    blob = np.load(season.file)
    (x, y), (xh, yh) = split_days(build_features(blob), build_target(blob), season.holdout_hours, season.seed)

    model = DemandNet(x.shape[1], season.hidden)
    if season.warm_start:
        model.load_state_dict(torch.load(season.warm_start, weights_only=True))
        print("weights of last season loaded")
    print(f"{len(x)} hours for training, {len(xh)} held out")

    optimizer = torch.optim.Adam(model.parameters(), lr=season.lr)
    for epoch in range(1, season.epochs + 1):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(x)).split(season.batch_size):
            loss = F.mse_loss(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        mae, r2 = report(model, xh, yh)
        print(f"epoch {epoch:2d}  mse {total / len(x):.4f}  holdout MAE {mae:.1f} rentals/h  R2 {r2:.3f}")


if __name__ == "__main__":
    main()
