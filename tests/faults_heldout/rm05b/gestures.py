"""Wrist-sensor gesture classifier: a plain recurrent net over one recording per gesture."""
import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class GestureNet(nn.Module):
    def __init__(self, channels, classes, width=48):
        super().__init__()
        self.rnn = nn.RNN(channels, width, batch_first=True)
        self.classify = nn.Linear(width, classes)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.classify(out[:, -1])


class Experiment:
    def __init__(self, path, seed=6):
        torch.manual_seed(seed)
        rec = np.load(path)
        x = torch.from_numpy(rec["x"].astype(np.float32))
        y = torch.from_numpy(rec["y"].astype(np.int64))
        cut = int(0.8 * len(y))
        mean, std = x[:cut].mean((0, 1)), x[:cut].std((0, 1))
        x = (x - mean) / std
        self.train_dl = DataLoader(TensorDataset(x[:cut], y[:cut]), 48, shuffle=True)
        self.test_x, self.test_y = x[cut:], y[cut:]
        self.net = GestureNet(x.shape[2], int(y.max()) + 1)
        self.opt = optim.Adam(self.net.parameters(), lr=1e-3)
        self.criterion = nn.CrossEntropyLoss()

    def one_epoch(self):
        self.net.train()
        losses = []
        for x, y in self.train_dl:
            self.opt.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    def test(self):
        self.net.eval()
        with torch.no_grad():
            logits = self.net(self.test_x)
        return self.criterion(logits, self.test_y).item(), (logits.argmax(1) == self.test_y).float().mean().item()

    def run(self, epochs):
        for e in range(epochs):
            train = self.one_epoch()
            if e % 3 == 2:
                test, acc = self.test()
                print(f"{e + 1:>3} train={train:.3f} test={test:.3f} accuracy={acc:.1%}")


if __name__ == "__main__":
    Experiment("recordings.npz").run(epochs=21)
