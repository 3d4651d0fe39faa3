import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from beats.net import BeatClassifier
from beats.restore import restore_encoder

ROOT = Path(__file__).resolve().parent
CFG = json.loads((ROOT / "finetune.json").read_text())


def tensors(split):
    d = np.load(ROOT / "clinic.npz")
    x = torch.from_numpy(d[f"x_{split}"].astype("float32")).unsqueeze(1)
    x = (x - x.mean(dim=-1, keepdim=True)) / x.std(dim=-1, keepdim=True)
    return TensorDataset(x, torch.from_numpy(d[f"y_{split}"].astype("int64")))


def accuracy_and_loss(model, data, criterion):
    model.eval()
    with torch.no_grad():
        x, y = data.tensors
        out = model(x)
        return (out.argmax(1) == y).float().mean().item(), criterion(out, y).item()


def main():
    torch.manual_seed(CFG["seed"])
    train, test = tensors("train"), tensors("test")
    model = BeatClassifier(CFG["classes"])
    restore_encoder(model, ROOT / CFG["pretrained"])

    optimizer = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": CFG["lr_encoder"]},
        {"params": model.head.parameters(), "lr": CFG["lr_head"]},
    ], weight_decay=0.01)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(train, batch_size=CFG["batch_size"], shuffle=True)

    for epoch in range(CFG["epochs"]):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        if (epoch + 1) % 5 == 0:
            tr_acc, tr_loss = accuracy_and_loss(model, train, criterion)
            te_acc, te_loss = accuracy_and_loss(model, test, criterion)
            print(f"epoch {epoch + 1:3d} | train {tr_loss:.3f} / {tr_acc:.3f} | test {te_loss:.3f} / {te_acc:.3f}")
    torch.save(model.state_dict(), ROOT / "finetuned.pt")


if __name__ == "__main__":
    main()
