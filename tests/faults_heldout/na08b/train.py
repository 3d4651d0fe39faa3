import csv
import json
import os

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

BASE = os.path.dirname(os.path.abspath(__file__))


def read_customers(filename, schema):
    with open(os.path.join(BASE, filename), newline="") as fh:
        rows = list(csv.DictReader(fh))
    numeric = np.array([[float(r[c]) for c in schema["numeric"]] for r in rows], dtype=np.float32)
    for c in schema["log1p"]:
        j = schema["numeric"].index(c)
        numeric[:, j] = np.log1p(numeric[:, j])
    onehot = [[float(r[c] == level) for c, levels in schema["categorical"].items() for level in levels]
              for r in rows]
    target = np.array([float(r["churned"]) for r in rows], dtype=np.float32)
    return numeric, np.array(onehot, dtype=np.float32), target


def assemble(numeric, onehot, mean, std):
    return torch.from_numpy(np.hstack([(numeric - mean) / std, onehot]))


def make_net(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 48), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(48, 24), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(24, 1),
    )


def auc(net, x, y):
    net.eval()
    with torch.no_grad():
        return roc_auc_score(y, net(x).squeeze(1).numpy())


def main():
    torch.manual_seed(42)
    torch.set_num_threads(1)
    with open(os.path.join(BASE, "schema.json")) as fh:
        schema = json.load(fh)

    numeric, onehot, y = read_customers("customers_q1.csv", schema)
    tr, va = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=0)
    mean, std = numeric[tr].mean(0), numeric[tr].std(0)
    x_tr, x_va = assemble(numeric[tr], onehot[tr], mean, std), assemble(numeric[va], onehot[va], mean, std)
    y_tr, y_va = torch.from_numpy(y[tr]), y[va]
    numeric_q2, onehot_q2, y_q2 = read_customers("customers_q2.csv", schema)
    x_q2 = assemble(numeric_q2, onehot_q2, mean, std)
    print("train %d  valid %d  q2 cohort %d  churn rate %.3f" % (len(tr), len(va), len(y_q2), y.mean()))

    net = make_net(x_tr.shape[1])
    loss_fn = nn.BCEWithLogitsLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    gen = torch.Generator().manual_seed(1)
    for epoch in range(25):
        net.train()
        perm = torch.randperm(len(x_tr), generator=gen)
        total = 0.0
        for batch in perm.split(64):
            opt.zero_grad()
            loss = loss_fn(net(x_tr[batch]).squeeze(1), y_tr[batch])
            loss.backward()
            opt.step()
            total += loss.item() * len(batch)
        if epoch % 4 == 0:
            print("epoch %2d  loss %.4f  valid AUC %.4f" % (epoch, total / len(perm), auc(net, x_va, y_va)))
    print("valid AUC %.4f   q2 cohort AUC %.4f" % (auc(net, x_va, y_va), auc(net, x_q2, y_q2)))


if __name__ == "__main__":
    main()
