import logging

import torch
from torch.utils.data import DataLoader, TensorDataset

from network import VibrationNet
from signals import CLASSES, recording_campaign

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("vibration")


class Trainer:
    def __init__(self, net, train_loader, test_loader, lr, epochs):
        self.net = net
        self.train_loader, self.test_loader = train_loader, test_loader
        self.epochs = epochs
        self.optim = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.01)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.optim, max_lr=lr, total_steps=epochs * len(train_loader)
        )
        self.criterion = torch.nn.CrossEntropyLoss()

    def train_epoch(self):
        self.net.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optim.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optim.step()
            self.sched.step()
            total += loss.item()
        return total / len(self.train_loader)

    @torch.no_grad()
    def test_epoch(self):
        loss, hits, n = 0.0, 0, 0
        confusion = torch.zeros(len(CLASSES), len(CLASSES), dtype=torch.long)
        for x, y in self.test_loader:
            logits = self.net(x)
            loss += self.criterion(logits, y).item() * len(y)
            pred = logits.argmax(1)
            hits += (pred == y).sum().item()
            n += len(y)
            for t, p in zip(y.tolist(), pred.tolist()):
                confusion[t, p] += 1
        return loss / n, hits / n, confusion

    def fit(self):
        confusion = None
        for epoch in range(1, self.epochs + 1):
            train_loss = self.train_epoch()
            test_loss, acc, confusion = self.test_epoch()
            log.info("epoch %02d train %.4f test %.4f acc %.3f", epoch, train_loss, test_loss, acc)
        for name, row in zip(CLASSES, confusion.tolist()):
            log.info("%10s %s", name, row)


def main():
    torch.manual_seed(8)
    train = TensorDataset(*recording_campaign(240, seed=1))
    test = TensorDataset(*recording_campaign(80, seed=2))
    trainer = Trainer(
        VibrationNet(len(CLASSES)),
        DataLoader(train, batch_size=48, shuffle=True, drop_last=True),
        DataLoader(test, batch_size=40),
        lr=8e-3,
        epochs=10,
    )
    trainer.fit()


if __name__ == "__main__":
    main()
