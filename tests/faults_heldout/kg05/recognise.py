import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 12
BATCH = 50
EPOCHS = 35


class GestureLSTM(nn.Module):
    def __init__(self, n_channels=6, hidden=48, n_gestures=5):
        super().__init__()
        self.lstm = nn.LSTM(input_size=n_channels, hidden_size=hidden, num_layers=1)
        self.fc = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, n_gestures))

    def forward(self, x):
        # x: (batch, time, channels)
        out, _ = self.lstm(x)
        return self.fc(out[:, -1])


def load():
    d = np.load("gestures.npz")
    x = torch.tensor(d["windows"].astype(np.float32))
    y = torch.tensor(d["gesture"].astype(np.int64))
    n = 1000
    mean = x[:n].mean(dim=(0, 1))
    std = x[:n].std(dim=(0, 1))
    x = (x - mean) / std
    return TensorDataset(x[:n], y[:n]), TensorDataset(x[n:], y[n:])


def run_epoch(model, loader, loss_fn, optimizer=None):
    model.train(optimizer is not None)
    total, correct, seen = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            logits = model(x)
            loss = loss_fn(logits, y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.step()
            total += loss.item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            seen += len(y)
    return total / seen, correct / seen


if __name__ == "__main__":
    torch.manual_seed(SEED)
    train_set, val_set = load()
    train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=BATCH)
    model = GestureLSTM()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        tl, ta = run_epoch(model, train_loader, loss_fn, optimizer)
        vl, va = run_epoch(model, val_loader, loss_fn)
        print("[%2d] train %.3f / %.1f%%   val %.3f / %.1f%%" % (epoch + 1, tl, 100 * ta, vl, 100 * va))
