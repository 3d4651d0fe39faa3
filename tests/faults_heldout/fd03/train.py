import logging
import time
import tomllib
from pathlib import Path

import torch
from torch import nn

from digitnet.data import make_loaders
from digitnet.model import DigitNet

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("digitnet")


def evaluate(model, loader, criterion):
    model.eval()
    loss = correct = n = 0
    with torch.inference_mode():
        for x, y in loader:
            out = model(x)
            loss += criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, correct / n


def main():
    cfg = tomllib.loads((Path(__file__).parent / "config.toml").read_text())
    torch.manual_seed(cfg["run"]["seed"])
    train_loader, test_loader = make_loaders(cfg)
    model = DigitNet()
    log.info("parameters: %d", sum(p.numel() for p in model.parameters()))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), **cfg["optim"])
    epochs = cfg["run"]["epochs"]
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * len(train_loader))

    for epoch in range(epochs):
        t0 = time.time()
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        test_loss, test_acc = evaluate(model, test_loader, criterion)
        log.info("epoch %d | train loss %.4f | test loss %.4f | test acc %.4f | lr %.4f | %.1fs", epoch + 1,
                 total / len(train_loader), test_loss, test_acc, scheduler.get_last_lr()[0], time.time() - t0)


if __name__ == "__main__":
    main()
