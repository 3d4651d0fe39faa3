import argparse
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, Subset


class SyllableSet(Dataset):
    """Cepstral frames of isolated syllables, one array of (frames, coefficients) per token."""

    def __init__(self, path):
        pack = np.load(path)
        self.feats = pack["feats"].astype("float32") / 18.0
        self.label = pack["label"].astype("int64")
        self.speaker = pack["speaker"]
        self.shift = self.scale = None

    def fit_scaler(self, rows):
        self.shift = self.feats[rows].mean((0, 1))
        self.scale = self.feats[rows].std((0, 1)) + 1e-6

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        x = (self.feats[i] - self.shift) / self.scale
        return torch.from_numpy(x.T.copy()), int(self.label[i])


class TemporalNet(nn.Module):
    def __init__(self, coeffs, classes, width=32, p=0.2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(coeffs, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, 2 * width, 3, padding=1), nn.BatchNorm1d(2 * width), nn.ReLU(),
        )
        self.drop = nn.Dropout(p)
        self.head = nn.Linear(4 * width, classes)

    def forward(self, x):
        z = self.body(x)
        z = torch.cat([z.mean(-1), z.amax(-1)], 1)
        return self.head(self.drop(z))


class Trainer:
    def __init__(self, cfg, model, train_loader, test_loader):
        self.cfg = cfg
        self.model = model
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.loss_fn = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=5e-4)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=cfg.decay_every, gamma=cfg.gamma)

    def train_epoch(self):
        self.model.train()
        losses = []
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def test(self):
        self.model.eval()
        loss = correct = n = 0
        for x, y in self.test_loader:
            logits = self.model(x)
            loss += nn.functional.cross_entropy(logits, y, reduction="sum").item()
            correct += (logits.argmax(-1) == y).sum().item()
            n += y.numel()
        return loss / n, correct / n

    def fit(self):
        for epoch in range(self.cfg.epochs):
            train_loss = self.train_epoch()
            if epoch % 3 == 2:
                test_loss, acc = self.test()
                print(f"[{epoch + 1:02d}/{self.cfg.epochs}] train={train_loss:.3f} test={test_loss:.3f} acc={acc:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="syllables.npz")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.03)
    parser.add_argument("--decay-every", type=int, default=10, help="epochs between two decays")
    parser.add_argument("--gamma", type=float, default=0.3)
    cfg = SimpleNamespace(**vars(parser.parse_args()))

    torch.manual_seed(1234)
    data = SyllableSet(cfg.data)
    test_speakers = np.unique(data.speaker)[::5]
    is_test = np.isin(data.speaker, test_speakers)
    train_rows, test_rows = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    data.fit_scaler(train_rows)
    train_loader = DataLoader(Subset(data, train_rows.tolist()), batch_size=cfg.batch, shuffle=True)
    test_loader = DataLoader(Subset(data, test_rows.tolist()), batch_size=128)
    model = TemporalNet(data.feats.shape[-1], int(data.label.max()) + 1)
    Trainer(cfg, model, train_loader, test_loader).fit()


if __name__ == "__main__":
    main()
