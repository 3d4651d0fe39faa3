import pathlib

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

from kitchen.tagger import CuisineTagger
from kitchen.text import Vocabulary, read_tsv

ROOT = pathlib.Path(__file__).resolve().parent / "recipes"
EPOCHS = 8
MAX_WORDS = 28


class Meter:
    def __init__(self):
        self.loss = self.right = self.n = 0

    def add(self, logits, y, loss):
        self.loss += float(loss) * len(y)
        self.right += int((logits.argmax(1) == y).sum())
        self.n += len(y)

    def __str__(self):
        return f"loss {self.loss / self.n:.3f} acc {self.right / self.n:.3f}"


def sweep(model, loader, optimizer=None):
    model.train(optimizer is not None)
    meter = Meter()
    for ids, y in loader:
        with torch.set_grad_enabled(optimizer is not None):
            logits = model(ids)
            loss = cross_entropy(logits, y)
        if optimizer is not None:
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        meter.add(logits, y, loss.detach())
    return meter


if __name__ == "__main__":
    torch.manual_seed(5)
    vocabulary = Vocabulary(ROOT / "vocabulary.json")
    train = TensorDataset(*read_tsv(ROOT / "train.tsv", vocabulary, MAX_WORDS))
    test = TensorDataset(*read_tsv(ROOT / "test.tsv", vocabulary, MAX_WORDS))
    train_loader = DataLoader(train, batch_size=32, shuffle=True)
    test_loader = DataLoader(test, batch_size=250)
    net = CuisineTagger(len(vocabulary), len(vocabulary.classes))
    adam = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
    decay = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.05, total_iters=EPOCHS)
    for epoch in range(1, EPOCHS + 1):
        fit = sweep(net, train_loader, adam)
        decay.step()
        print(f"epoch {epoch}: train {fit} | test {sweep(net, test_loader)}")
