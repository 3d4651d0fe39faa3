"""Predict which plan a subscriber will choose."""
import csv
import configparser

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

CLASSES = ["basic", "family", "plus"]


def load(path):
    with open(path) as f:
        rows = list(csv.reader(f))
    header, rows = rows[0], rows[1:]
    x = np.array([[float(v) for v in r[:-1]] for r in rows], dtype=np.float32)
    y = np.array([CLASSES.index(r[-1]) for r in rows])
    return x, y


def make_loaders(x, y, batch, valid_share, seed):
    order = np.random.RandomState(seed).permutation(len(x))
    cut = int(len(x) * valid_share)
    valid_idx, train_idx = order[:cut].tolist(), order[cut:].tolist()
    mean, std = x[train_idx].mean(0), x[train_idx].std(0)
    ds = TensorDataset(torch.from_numpy((x - mean) / std), torch.from_numpy(y))
    train = DataLoader(ds, batch, sampler=SubsetRandomSampler(train_idx))
    valid = DataLoader(ds, 4 * batch, sampler=SubsetRandomSampler(valid_idx))
    return train, valid


def train_one_epoch(model, loader, criterion, opt):
    model.train()
    total, batches = 0.0, 0
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
        batches += 1
    return total / batches


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    losses, correct = [], 0
    for x, y in loader:
        out = model(x)
        losses.append(criterion(out, y).item())
        correct += (out.argmax(dim=1) == y).sum().item()
    return float(np.mean(losses)), 100.0 * correct / len(loader.dataset)


def main():
    ini = configparser.ConfigParser()
    ini.read("plans.ini")
    c = ini["train"]
    torch.manual_seed(c.getint("seed"))
    x, y = load(ini["data"]["file"])
    train, valid = make_loaders(x, y, c.getint("batch"), ini["data"].getfloat("valid_share"), c.getint("seed"))
    model = nn.Sequential(nn.Linear(x.shape[1], 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 48), nn.ReLU(),
                          nn.Linear(48, len(CLASSES)))
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=c.getfloat("lr"), weight_decay=0.01)
    best = 0.0
    for epoch in range(c.getint("epochs")):
        tl = train_one_epoch(model, train, criterion, opt)
        vl, acc = validate(model, valid, criterion)
        best = max(best, acc)
        print(f"epoch {epoch:>2} | train loss {tl:.3f} | valid loss {vl:.3f} | valid acc {acc:.1f}%")
    print(f"best valid acc {best:.1f}%")


if __name__ == "__main__":
    main()
