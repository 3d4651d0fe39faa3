"""Rent estimate from listing attributes."""
import argparse
import copy

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

NUM = ["area_m2", "rooms", "year_built", "floor", "centre_km"]
FLAG = ["balcony", "lift"]
CAT = ["district", "heating"]


def load(path, seed):
    df = pd.read_csv(path).drop_duplicates("listing_id").reset_index(drop=True)
    order = np.random.default_rng(seed).permutation(len(df))
    a, b = int(0.7 * len(df)), int(0.85 * len(df))
    return df.iloc[order[:a]], df.iloc[order[a:b]], df.iloc[order[b:]]


class Encoder:
    def fit(self, df):
        num = self._numeric(df)
        self.median = num.median()
        num = num.fillna(self.median)
        self.mean, self.std = num.mean(), num.std()
        self.levels = {c: sorted(df[c].unique()) for c in CAT}
        log_rent = np.log(df["rent_eur"])
        self.y_mean, self.y_std = log_rent.mean(), log_rent.std()
        return self

    @staticmethod
    def _numeric(df):
        num = df[NUM].astype(float).copy()
        num["area_m2"] = np.log(num["area_m2"])
        return num

    def transform(self, df):
        num = self._numeric(df)
        year_missing = num[["year_built"]].isna().to_numpy(float)
        num = ((num.fillna(self.median) - self.mean) / self.std).to_numpy()
        cats = [(df[c].to_numpy()[:, None] == np.array(v)[None]).astype(float) for c, v in self.levels.items()]
        x = np.concatenate([num, year_missing, df[FLAG].to_numpy(float), *cats], 1)
        y = (np.log(df["rent_eur"].to_numpy(float)) - self.y_mean) / self.y_std
        return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)

    def to_eur(self, y):
        return torch.exp(y * self.y_std + self.y_mean)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="rentals.csv")
    ap.add_argument("--epochs", type=int, default=45)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train, val, test = load(args.data, args.seed)
    enc = Encoder().fit(train)
    xt, yt = enc.transform(train)
    xv, yv = enc.transform(val)
    xs, ys = enc.transform(test)

    loader = DataLoader(TensorDataset(xt, yt), args.batch_size, shuffle=True, drop_last=True)
    model = nn.Sequential(
        nn.Linear(xt.shape[1], 32), nn.ReLU(), nn.Dropout(0.05),
        nn.Linear(32, 16), nn.ReLU(),
        nn.Linear(16, 1),
    )
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))
    loss_fn = nn.SmoothL1Loss(beta=0.5)

    best, best_state = float("inf"), None
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = loss_fn(model(x).squeeze(1), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            v = loss_fn(model(xv).squeeze(1), yv).item()
            t = loss_fn(model(xt).squeeze(1), yt).item()
        if v < best:
            best, best_state = v, copy.deepcopy(model.state_dict())
        if epoch % 5 == 4 or epoch == 0:
            print(f"epoch {epoch + 1:3d}  loss {total / len(loader):.4f}  train(eval) {t:.4f}  val {v:.4f}")

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        pred = model(xs).squeeze(1)
    eur, true = enc.to_eur(pred), enc.to_eur(ys)
    r2 = 1 - ((pred - ys) ** 2).sum() / ((ys - ys.mean()) ** 2).sum()
    print(f"test: MAE {(eur - true).abs().mean():.0f} EUR, median APE {((eur - true).abs() / true).median() * 100:.1f}%, R2(log) {r2:.3f}")


if __name__ == "__main__":
    main()
