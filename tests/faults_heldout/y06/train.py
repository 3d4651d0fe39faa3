import logging
from pathlib import Path

import torch
import torch.nn.functional as F

from data import loaders
from model import Classifier, pretrained_encoder

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("finetune")
CKPT = Path(__file__).resolve().parent / "encoder.pt"


def accuracy(model, dl):
    model.eval()
    hit = n = 0
    with torch.no_grad():
        for x, y in dl:
            hit += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    return hit / n


def main():
    torch.manual_seed(1)
    train_dl, test_dl = loaders(batch_size=10)
    model = Classifier(pretrained_encoder(CKPT), n_classes=10)
    # the head is new, the encoder only needs a gentle touch
    opt = torch.optim.Adam([
        {"params": model.encoder.parameters(), "lr": 5e-5},
        {"params": model.head.parameters(), "lr": 3e-3},
    ])
    for epoch in range(15):
        model.train()
        total = 0.0
        for x, y in train_dl:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if (epoch + 1) % 3 == 0:
            log.info("epoch %2d  train loss %.4f  test acc %.4f", epoch + 1,
                     total / len(train_dl.dataset), accuracy(model, test_dl))


if __name__ == "__main__":
    main()
