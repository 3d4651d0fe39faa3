"""Adapt a digit network that was trained on scans to photos of electricity meters (200 labelled photos)."""
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import MeterNet

HERE = Path(__file__).parent
EPOCHS = 12
BACKBONE_LR = 2e-4
HEAD_LR = 2e-3


def to_tensor(a):
    return (torch.from_numpy(a).float() / 255 - 0.5) / 0.4


def build_model():
    model = MeterNet()
    state = torch.load(HERE / "scans_pretrained.pt", weights_only=True)["model"]
    # The meter labels are ordered 1, 2, ..., 9, 0 (as on the drum), so the head starts fresh.
    backbone = {k.removeprefix("backbone."): v for k, v in state.items() if k.startswith("backbone.")}
    model.backbone.load_state_dict(backbone)
    return model


def accuracy(model, loader):
    model.eval()
    right = 0
    with torch.inference_mode():
        for x, y in loader:
            right += (model(x).argmax(dim=1) == y).sum().item()
    return right / len(loader.dataset)


def main():
    torch.manual_seed(5)
    data = np.load(HERE / "meter_photos.npz")
    train = TensorDataset(to_tensor(data["train_x"]), torch.from_numpy(data["train_y"]))
    test = TensorDataset(to_tensor(data["test_x"]), torch.from_numpy(data["test_y"]))
    train_loader = DataLoader(train, batch_size=20, shuffle=True)
    test_loader = DataLoader(test, batch_size=250)

    model = build_model()
    optimizer = torch.optim.AdamW([
        {"params": model.backbone.parameters(), "lr": BACKBONE_LR},
        {"params": model.head.parameters(), "lr": HEAD_LR},
    ], weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for x, y in train_loader:
            x = x + 0.05 * torch.randn_like(x)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()
        print(f"epoch {epoch + 1:2d}  train loss {total / len(train):.3f}  test accuracy {accuracy(model, test_loader):.3f}")


if __name__ == "__main__":
    main()
