from pathlib import Path

import torch
import torch.nn as nn

from seqtag.data import Meta, loaders
from seqtag.model import SequenceClassifier

FOLDER = Path(__file__).resolve().parent / "prepared"
EPOCHS, LR, BATCH = 12, 4e-3, 64


def evaluate(model, loader):
    model.eval()
    ok = n = 0
    with torch.no_grad():
        for tokens, label in loader:
            ok += (model(tokens).argmax(1) == label).sum().item()
            n += len(label)
    model.train()
    return ok / n


def main():
    torch.manual_seed(29)
    meta = Meta(FOLDER / "meta.json")
    data = loaders(FOLDER, BATCH)
    model = SequenceClassifier(meta)
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, LR, epochs=EPOCHS, steps_per_epoch=len(data["train"]))
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        mean_loss = 0.0
        for tokens, label in data["train"]:
            opt.zero_grad()
            loss = criterion(model(tokens), label)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            mean_loss += loss.item() / len(data["train"])
        print("epoch", epoch + 1, "loss", round(mean_loss, 4), "dev accuracy", round(evaluate(model, data["dev"]), 4))


if __name__ == "__main__":
    main()
