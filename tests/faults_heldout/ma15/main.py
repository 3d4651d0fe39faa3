import random

import torch
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import DataLoader

from promoter.ema import WeightAverage
from promoter.model import MotifCNN
from promoter.seq import Promoters

EPOCHS = 10
BATCH = 32
LR = 2e-3
EMA_DECAY = 0.98


def load():
    lines = open("promoters.tsv").read().split("\n")[1:-1]
    random.Random(6).shuffle(lines)
    cut = len(lines) * 3 // 4
    return Promoters(lines[:cut]), Promoters(lines[cut:])


def train_epoch(net, loader, opt, criterion):
    net.train()
    total = 0.0
    for x, y in loader:
        loss = criterion(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def assess(net, ds, criterion):
    net.eval()
    out = net(ds.onehot)
    return criterion(out, ds.label).item(), roc_auc_score(ds.label, out.sigmoid())


def main():
    torch.manual_seed(6)
    train, test = load()
    loader = DataLoader(train, batch_size=BATCH, shuffle=True, drop_last=True)
    net = MotifCNN()
    average = WeightAverage(net, EMA_DECAY)
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-2)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        tl = train_epoch(net, loader, opt, criterion)
        average.update(net)
        vl, auc = assess(average.model, test, criterion)
        print(f"epoch {epoch + 1}: train {tl:.3f}  test {vl:.3f}  auc {auc:.3f}")


main()
