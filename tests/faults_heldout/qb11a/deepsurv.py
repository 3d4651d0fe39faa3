"""Cox partial-likelihood network for the clinic cohort."""
import json

import numpy as np
import torch
from torch import nn

from callbacks import EarlyStopping


def cox_loss(log_risk, time, event):
    order = torch.argsort(time, descending=True)
    log_risk, event = log_risk[order], event[order]
    log_cum = torch.logcumsumexp(log_risk, 0)
    return -((log_risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    higher = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (higher * earlier).sum().item() / earlier.sum().item()


def load(path, seed):
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
    table = table[np.random.default_rng(seed).permutation(len(table))]
    a, b = int(0.65 * len(table)), int(0.8 * len(table))
    x = table[:, :-2]
    x = (x - x[:a].mean(0)) / x[:a].std(0)
    full = [torch.from_numpy(np.ascontiguousarray(v)) for v in (x, table[:, -2], table[:, -1])]
    return [[v[s] for v in full] for s in (slice(0, a), slice(a, b), slice(b, None))]


class DeepSurv(nn.Module):
    def __init__(self, n_features, hidden, dropout):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, hidden), nn.SELU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.SELU(), nn.Dropout(dropout),
            nn.Linear(hidden, 1, bias=False))

    def forward(self, x):
        return self.body(x).squeeze(-1)


def fit(model, train, valid, conf):
    optimizer = torch.optim.Adam(model.parameters(), lr=conf["lr"], weight_decay=conf["weight_decay"])
    stopper = EarlyStopping(**conf["early_stopping"])
    for epoch in range(conf["max_epochs"]):
        model.train()
        losses = []
        for idx in torch.randperm(len(train[0])).split(conf["batch_size"]):
            loss = cox_loss(model(train[0][idx]), train[1][idx], train[2][idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            out = model(valid[0])
            logs = {"val_loss": cox_loss(out, valid[1], valid[2]).item(),
                    "val_cindex": concordance(out, valid[1], valid[2])}
        print(f"epoch {epoch:3d} train {np.mean(losses):.4f} "
              + " ".join(f"{k} {v:.4f}" for k, v in logs.items()))
        if stopper.update(logs, model):
            print(f"stopped after epoch {epoch}")
            break
    model.load_state_dict(stopper.best_state)


if __name__ == "__main__":
    with open("run.json") as f:
        conf = json.load(f)
    torch.manual_seed(conf["seed"])
    train, valid, test = load("cohort.csv", conf["seed"])
    model = DeepSurv(train[0].shape[1], conf["hidden"], conf["dropout"])
    fit(model, train, valid, conf)
    model.eval()
    with torch.no_grad():
        print(f"test c-index {concordance(model(test[0]), test[1], test[2]):.4f}")
