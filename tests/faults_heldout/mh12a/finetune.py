"""Fine-tune a vibration backbone on the few labelled windows of one site."""
import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import FaultClassifier


def windows(z, part):
    x = z[f"x_{part}"].astype(np.float32)
    x = (x - x.mean(1, keepdims=True)) / (x.std(1, keepdims=True) + 1e-6)
    return TensorDataset(torch.from_numpy(x).unsqueeze(1), torch.from_numpy(z[f"y_{part}"].astype(np.int64)))


def start_from(model, path):
    """The file also holds the head of the pre-training task, which is of no use here."""
    state = torch.load(path, map_location="cpu", weights_only=True)["model"]
    state = {k: v for k, v in state.items() if "head" not in k}
    model.load_state_dict(state, strict=False)


@torch.no_grad()
def test(model, loader):
    model.eval()
    loss = correct = n = 0
    for x, y in loader:
        out = model(x)
        loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
        correct += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, correct / n


def main():
    s = json.load(open("settings.json"))
    torch.manual_seed(s["seed"])
    z = np.load(s["labelled"])
    train_dl = DataLoader(windows(z, "train"), s["batch_size"], shuffle=True)
    val_dl = DataLoader(windows(z, "val"), 128)

    model = FaultClassifier(int(z["y_train"].max()) + 1)
    start_from(model, s["pretrained"])
    opt = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": s["backbone_lr"]},
            {"params": model.head.parameters(), "lr": s["head_lr"]},
        ],
        weight_decay=0.01,
    )
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, s["epochs"] * len(train_dl))

    for epoch in range(s["epochs"]):
        model.train()
        seen = 0.0
        for x, y in train_dl:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            seen += loss.item() * len(y)
        if epoch % 3 == 2:
            val_loss, acc = test(model, val_dl)
            print(f"epoch {epoch + 1:2d} | train {seen / len(train_dl.dataset):.3f} | val {val_loss:.3f} | acc {acc:.3f}")


if __name__ == "__main__":
    main()
