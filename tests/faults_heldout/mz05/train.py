import os

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import balanced_accuracy_score, r2_score
from torch import nn

SEED = 0
HERE = os.path.dirname(os.path.abspath(__file__))


class Features:
    numeric = ["t_out", "t_in", "co2", "lux"]

    def fit(self, df):
        self.mu, self.sd = df[self.numeric].mean(), df[self.numeric].std()
        self.load_mu, self.load_sd = df["load_kw"].mean(), df["load_kw"].std()
        return self

    def inputs(self, df):
        z = ((df[self.numeric] - self.mu) / self.sd).to_numpy()
        h = df["hour"].to_numpy() / 24 * 2 * np.pi
        weekend = (df["weekday"] >= 5).to_numpy(float)
        x = np.column_stack([z, np.sin(h), np.cos(h), np.sin(2 * h), np.cos(2 * h), weekend])
        return torch.tensor(x, dtype=torch.float32)

    def targets(self, df):
        load = (df["load_kw"] - self.load_mu) / self.load_sd
        return (torch.tensor(load.to_numpy(), dtype=torch.float32),
                torch.tensor(df["occupied"].to_numpy(), dtype=torch.float32))


class TwoHeads(nn.Module):
    def __init__(self, n_in, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.load = nn.Linear(width, 1)
        self.occupied = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.load(h).squeeze(1), self.occupied(h).squeeze(1)


class UncertaintyLoss(nn.Module):
    """Kendall, Gal & Cipolla 2018: one learnt log variance per task."""

    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(2))
        self.mse = nn.MSELoss()
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, outputs, targets):
        parts = torch.stack([0.5 * self.mse(outputs[0], targets[0]), self.bce(outputs[1], targets[1])])
        return (torch.exp(-self.log_var) * parts + 0.5 * self.log_var).sum(), parts.detach()


def main():
    torch.manual_seed(SEED)
    df = pd.read_csv(os.path.join(HERE, "office.csv")).sample(frac=1, random_state=1).reset_index(drop=True)
    train_df, val_df = df.iloc[:3300], df.iloc[3300:]
    feats = Features().fit(train_df)
    x, y = feats.inputs(train_df), feats.targets(train_df)
    xv, yv = feats.inputs(val_df), feats.targets(val_df)

    model = TwoHeads(x.shape[1])
    criterion = UncertaintyLoss()
    optimizer = torch.optim.AdamW([
        {"params": model.parameters(), "lr": 2e-3, "weight_decay": 1e-2},
        {"params": criterion.parameters(), "lr": 1e-2, "weight_decay": 0.0},
    ])
    for epoch in range(1, 21):
        model.train()
        seen = []
        for idx in torch.randperm(len(x)).split(64):
            optimizer.zero_grad()
            loss, _ = criterion(model(x[idx]), (y[0][idx], y[1][idx]))
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        if epoch % 5 == 0 or epoch == 1:
            model.eval()
            with torch.no_grad():
                out = model(xv)
                val, parts = criterion(out, yv)
            kw = out[0].numpy() * feats.load_sd + feats.load_mu
            print(f"epoch {epoch:2d}  train {np.mean(seen):+.3f}  val {val.item():+.3f}  "
                  f"R2 load {r2_score(val_df['load_kw'], kw):.3f}  "
                  f"bal.acc occupied {balanced_accuracy_score(yv[1], out[1] > 0):.3f}  "
                  f"log var {criterion.log_var.detach().numpy().round(2)}")


if __name__ == "__main__":
    main()
