"""Keyword spotting on pre-computed MFCC shards."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from stream import ShardStream

WORDS = ["up", "down", "left", "right", "go", "stop", "yes", "no"]


class Spotter(nn.Module):
    def __init__(self, coeffs=8, width=32):
        super().__init__()
        self.conv1 = nn.Conv1d(coeffs, width, 5, padding=2)
        self.conv2 = nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(width * 8, len(WORDS))

    def forward(self, mfcc):
        h = self.conv1(mfcc.transpose(1, 2))
        h = torch.relu(self.norm1(h.transpose(1, 2)))
        h = self.conv2(h.transpose(1, 2))
        h = torch.relu(self.norm2(h.transpose(1, 2)))
        return self.fc(self.drop(h.flatten(1)))


def run_epoch(model, loader, loss_fn, optimizer):
    model.train()
    losses = []
    for mfcc, word in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(mfcc), word)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def check(model, loader, loss_fn):
    model.eval()
    with torch.no_grad():
        logits, words = zip(*[(model(m), w) for m, w in loader])
    logits, words = torch.cat(logits), torch.cat(words)
    return loss_fn(logits, words).item(), (logits.argmax(1) == words).float().mean().item()


if __name__ == "__main__":
    random.seed(31)
    torch.manual_seed(31)
    train_loader = DataLoader(ShardStream("shards/train-*.npz", buffer_size=80), batch_size=25)
    dev_loader = DataLoader(ShardStream("shards/dev-*.npz"), batch_size=160)
    model = Spotter()
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.02)
    for epoch in range(1, 9):
        train_loss = run_epoch(model, train_loader, loss_fn, optimizer)
        dev_loss, dev_acc = check(model, dev_loader, loss_fn)
        print(f"epoch {epoch:02d} train_loss={train_loss:.4f} dev_loss={dev_loss:.4f} dev_acc={dev_acc:.3f}")
