"""Small convnet on the 8x8 digits, mixed precision when a GPU is around."""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def get_loaders(batch_size, seed):
    x, y = load_digits(return_X_y=True)
    x = (x.reshape(-1, 1, 8, 8) / 16.0).astype(np.float32)
    xtr, xva, ytr, yva = train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    mean, std = xtr.mean(), xtr.std()
    tr = TensorDataset(torch.from_numpy((xtr - mean) / std), torch.from_numpy(ytr))
    va = TensorDataset(torch.from_numpy((xva - mean) / std), torch.from_numpy(yva))
    return (DataLoader(tr, batch_size=batch_size, shuffle=True, drop_last=True),
            DataLoader(va, batch_size=256))


class ConvNet(nn.Module):
    def __init__(self, width=24, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.fc = nn.Linear(2 * width * 4, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hit = n = 0
    for x, y in loader:
        pred = model(x.to(device)).argmax(1).cpu()
        hit += (pred == y).sum().item()
        n += len(y)
    return hit / n


def train_one_epoch(model, loader, optimizer, scaler, device, use_amp):
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type=device.type, dtype=torch.float16, enabled=use_amp):
            loss = F.cross_entropy(model(x), y)
        if use_amp:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        total += loss.item()
    return total / len(loader)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=5)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    use_amp = device.type == "cuda"
    train_loader, val_loader = get_loaders(args.batch_size, args.seed)
    model = ConvNet().to(device)
    optimizer = torch.optim.NAdam(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(device.type, enabled=use_amp)

    for epoch in range(1, args.epochs + 1):
        t0 = time.time()
        loss = train_one_epoch(model, train_loader, optimizer, scaler, device, use_amp)
        acc = evaluate(model, val_loader, device)
        print(f"[{epoch:02d}/{args.epochs}] loss={loss:.4f} val_acc={acc:.3f} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
