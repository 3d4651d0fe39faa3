"""Hand-written digits, organised like a small lightning project."""
from abc import ABC, abstractmethod
from argparse import ArgumentParser, Namespace
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn, optim
from torch.utils.data import DataLoader, Subset, TensorDataset


class Module(nn.Module, ABC):
    @abstractmethod
    def training_step(self, batch, index): ...

    @abstractmethod
    def validation_step(self, batch, index): ...

    @abstractmethod
    def configure_optimizers(self): ...


class DataModule:
    def __init__(self, hp):
        bunch = load_digits()
        x = torch.tensor(bunch.images / 16, dtype=torch.float32).unsqueeze(1)
        everything = TensorDataset((x - 0.305) / 0.376, torch.tensor(bunch.target))
        order = torch.randperm(len(everything), generator=torch.Generator().manual_seed(1)).tolist()
        self.train, self.val, self.hp = Subset(everything, order[:1300]), Subset(everything, order[1300:]), hp

    def train_dataloader(self):
        return DataLoader(self.train, self.hp.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(self.val, 100)


class LitDigits(Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.encoder = nn.Sequential(nn.Conv2d(1, hp.width, 3, 2, 1), nn.BatchNorm2d(hp.width), nn.GELU(), nn.Conv2d(hp.width, 2 * hp.width, 3, 2, 1), nn.BatchNorm2d(2 * hp.width), nn.GELU(), nn.Flatten(), nn.Sigmoid())
        self.bottleneck = nn.Sequential(nn.Linear(8 * hp.width, hp.hidden), nn.GELU(), nn.Dropout(hp.dropout))
        self.classifier = nn.Sequential(nn.Linear(hp.hidden, 10), nn.ReLU())
        self.criterion = nn.CrossEntropyLoss()
        nn.init.constant_(self.classifier[0].bias, -3.0)

    def forward(self, x):
        return self.classifier(self.bottleneck(self.encoder(x)))

    def training_step(self, batch, index):
        x, y = batch
        return self.criterion(self(x), y)

    def validation_step(self, batch, index):
        x, y = batch
        z = self(x)
        return {"val_loss": self.criterion(z, y).item(), "val_acc": (z.argmax(1) == y).float().mean().item()}

    def configure_optimizers(self):
        optimizer = optim.SGD(self.parameters(), lr=self.hp.lr, momentum=0.9, nesterov=True)
        return optimizer, optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.hp.max_epochs)


class Trainer:
    def __init__(self, max_epochs, gradient_clip_val=0.0, accumulate_grad_batches=1, interval="epoch"):
        self.max_epochs, self.clip = max_epochs, gradient_clip_val
        self.accumulate, self.interval = accumulate_grad_batches, interval

    def fit(self, module, data):
        optimizer, scheduler = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module.train()
            mean = 0.0
            loader = data.train_dataloader()
            for i, batch in enumerate(loader):
                loss = module.training_step(batch, i)
                (loss / self.accumulate).backward()
                if (i + 1) % self.accumulate == 0:
                    if self.clip:
                        nn.utils.clip_grad_norm_(module.parameters(), self.clip)
                    optimizer.step()
                    optimizer.zero_grad()
                    if self.interval == "step":
                        scheduler.step()
                mean += loss.item() / len(loader)
            if self.interval == "epoch":
                scheduler.step()
            self.validate(module, data, epoch, mean)

    @torch.no_grad()
    def validate(self, module, data, epoch, mean):
        module.eval()
        logs = [module.validation_step(b, i) for i, b in enumerate(data.val_dataloader())]
        summary = {k: sum(d[k] for d in logs) / len(logs) for k in logs[0]}
        print(f"epoch={epoch} train_loss={mean:.4f} " + " ".join(f"{k}={v:.4f}" for k, v in summary.items()))


def cli(argv=None) -> Namespace:
    parser = ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.03)
    parser.add_argument("--width", type=int, default=12)
    parser.add_argument("--hidden", type=int, default=48)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--batch-size", type=int, default=26)
    parser.add_argument("--max-epochs", type=int, default=8)
    parser.add_argument("--clip", type=float, default=0.0)
    parser.add_argument("--accumulate", type=int, default=1)
    parser.add_argument("--interval", choices=("step", "epoch"), default="epoch")
    parser.add_argument("--warm-start", type=Path)
    return parser.parse_args(argv)


if __name__ == "__main__":
    hp = cli()
    torch.manual_seed(99)
    module = LitDigits(hp)
    if hp.warm_start:
        found = torch.load(Path(__file__).parent / hp.warm_start, weights_only=True)
        module.load_state_dict(found, strict=False)
    Trainer(hp.max_epochs, hp.clip, hp.accumulate, hp.interval).fit(module, DataModule(hp))
