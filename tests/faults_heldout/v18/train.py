import logging

import torch
from torch import nn

from pipeline.data import loaders
from pipeline.model import TabularNet

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")


def evaluate(model, loader, criterion):
    model.eval()
    loss = hits = n = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += criterion(out, y).item() * len(y)
            hits += ((out > 0) == (y > 0.5)).sum().item()
            n += len(y)
    return loss / n, hits / n


def main(epochs=20):
    torch.manual_seed(0)
    train_loader, val_loader = loaders(batch_size=32, seed=0)
    model = TabularNet()
    criterion = nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            criterion(model(x), y).backward()
            opt.step()
        tr, va = evaluate(model, train_loader, criterion), evaluate(model, val_loader, criterion)
        logging.info("epoch %02d train %.4f/%.3f val %.4f/%.3f", epoch, *tr, *va)


if __name__ == "__main__":
    main()
