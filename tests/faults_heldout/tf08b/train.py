"""Default risk of instalment loans.

Fits on the 2021 book (80/20 split) and scores the first quarter of 2022 as it came in.
"""
import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

HERE = Path(__file__).resolve().parent
SKEWED = ["income", "amount"]


def read_book(path):
    book = pd.read_csv(path)
    y = book.pop("default").to_numpy(np.float32)
    book[SKEWED] = np.log(book[SKEWED])
    book["burden"] = np.exp(book["amount"] - book["income"]) / book["term"]
    return book, y


def tensor(a):
    return torch.as_tensor(np.asarray(a), dtype=torch.float32)


def score(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).squeeze(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", type=Path, default=HERE / "loans_2021.csv")
    ap.add_argument("--incoming", type=Path, default=HERE / "loans_2022q1.csv")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=8)
    opt = ap.parse_args()
    torch.manual_seed(opt.seed)
    np.random.seed(opt.seed)

    book, y = read_book(opt.train)
    incoming, y_incoming = read_book(opt.incoming)
    tr, va = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=opt.seed)
    scaler = StandardScaler().fit(book.iloc[tr])
    x = tensor(scaler.transform(book))
    x_incoming = tensor(scaler.transform(incoming))
    y = tensor(y)

    model = nn.Sequential(
        nn.Linear(x.shape[1], 32), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(32, 16), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(16, 1),
    )
    loss_fn = nn.BCEWithLogitsLoss()
    adam = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=0.02)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(adam, opt.epochs)

    for epoch in range(opt.epochs):
        model.train()
        order = torch.from_numpy(np.random.permutation(tr))
        mean = 0.0
        for rows in order.split(opt.batch_size):
            adam.zero_grad()
            loss = loss_fn(model(x[rows]).squeeze(1), y[rows])
            loss.backward()
            adam.step()
            mean += loss.item() * len(rows) / len(order)
        decay.step()
        if epoch % 5 == 4:
            out = score(model, x[va])
            print(f"epoch {epoch + 1:2d} | train loss {mean:.4f} | val loss {loss_fn(out, y[va]).item():.4f}"
                  f" | val AUC {roc_auc_score(y[va], out):.4f}")

    new = score(model, x_incoming)
    print(f"2022 Q1, {len(new)} loans: loss {loss_fn(new, tensor(y_incoming)).item():.4f}, AUC {roc_auc_score(y_incoming, new):.4f},"
          f" expected defaults {new.sigmoid().sum().item():.0f}, observed {int(y_incoming.sum())}")


if __name__ == "__main__":
    main()
