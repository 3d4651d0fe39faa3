"""Which of four wave forms is it? A recurrent classifier on short noisy signals."""
import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load_split(path, split):
    with np.load(path) as f:
        return torch.from_numpy(f[f"x_{split}"].astype(np.float32)), torch.from_numpy(f[f"y_{split}"].astype(np.int64))


class WaveNet(nn.Module):
    def __init__(self, hidden, n_classes, batch_first=True, cell="gru"):
        super().__init__()
        rnn = {"gru": nn.GRU, "lstm": nn.LSTM, "rnn": nn.RNN}[cell]
        self.batch_first = batch_first
        self.rnn = rnn(1, hidden, batch_first=batch_first)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out[:, -1])


def run_epoch(model, loader, criterion, optimizer=None, clip=1.0):
    training = optimizer is not None
    model.train(training)
    loss_sum = hits = seen = 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            logits = model(x)
            loss = criterion(logits, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
    return loss_sum / seen, hits / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    settings = json.loads((Path(__file__).parent / parser.parse_args().settings).read_text())
    torch.manual_seed(settings.get("seed", 0))
    path = Path(__file__).parent / "waves.npz"
    train = DataLoader(TensorDataset(*load_split(path, "train")), settings.get("batch_size", 16), shuffle=True)
    test = DataLoader(TensorDataset(*load_split(path, "test")), 64)
    model = WaveNet(settings.get("hidden", 32), 4, settings.get("batch_first", True), settings.get("cell", "gru"))
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.get("lr", 5e-3))
    criterion = nn.CrossEntropyLoss()
    for epoch in range(settings.get("epochs", 10)):
        tr = run_epoch(model, train, criterion, optimizer, settings.get("clip", 1.0))
        te = run_epoch(model, test, criterion)
        print(f"{epoch:2d} train {tr[0]:.3f}/{tr[1]:.3f} test {te[0]:.3f}/{te[1]:.3f}")


if __name__ == "__main__":
    main()
