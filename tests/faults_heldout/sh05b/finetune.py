"""Adapt the pre-trained waveform encoder to a new set of sound events (only the head is trained)."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from encoder import EventClassifier


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--clips", default="clips.npz")
    p.add_argument("--weights", default="pretrained.pt")
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def as_set(wave, label):
    wave = torch.from_numpy(wave.astype("float32"))
    wave = (wave - wave.mean(1, keepdim=True)) / wave.std(1, keepdim=True)
    return TensorDataset(wave, torch.from_numpy(label.astype("int64")))


def evaluate(model, data):
    model.eval()
    wave, label = data.tensors
    with torch.no_grad():
        logits = model(wave)
    loss = nn.functional.cross_entropy(logits, label).item()
    return loss, (logits.argmax(1) == label).float().mean().item()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    root = Path(__file__).parent
    z = np.load(root / args.clips)
    train, val = as_set(z["train_wave"], z["train_label"]), as_set(z["val_wave"], z["val_label"])

    model = EventClassifier(n_classes=int(z["train_label"].max()) + 1)
    checkpoint = torch.load(root / args.weights, map_location="cpu", weights_only=True)
    state = {k: v for k, v in checkpoint["model"].items() if not k.startswith("head.")}
    model.load_state_dict(state, strict=False)
    for p in model.encoder.parameters():
        p.requires_grad_(False)

    optimizer = torch.optim.AdamW(model.head.parameters(), lr=args.lr, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(train, batch_size=args.batch, shuffle=True)
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for wave, label in loader:
            optimizer.zero_grad()
            loss = criterion(model(wave), label)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(wave)
        scheduler.step()
        val_loss, acc = evaluate(model, val)
        print(f"epoch {epoch:2d} train_loss {running / len(train):.4f} val_loss {val_loss:.4f} val_acc {acc:.3f}")


if __name__ == "__main__":
    main()
