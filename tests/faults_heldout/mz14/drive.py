import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from road import Drive


class Pilot(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(24, 32, 3, stride=2, padding=1), nn.ReLU())
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(32 * 3 * 6, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, x):
        return self.fc(self.conv(x)).squeeze(1)


class LogCosh(nn.Module):
    def forward(self, pred, target):
        d = pred - target
        return (d + nn.functional.softplus(-2 * d) - 0.6931472).mean()


def run_epoch(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total = err = 0.0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            pred = model(x)
            loss = criterion(pred, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(y)
            err += (pred.detach() - y).abs().sum().item() * 10.0
    n = len(loader.dataset)
    return total / n, err / n


def main(seed=8, epochs=14):
    torch.manual_seed(seed)
    train_loader = DataLoader(Drive(2000, seed=1, augment=True), batch_size=32, shuffle=True)
    val_set = Drive(500, seed=2)
    val_loader = DataLoader(val_set, batch_size=250)
    straight = 10.0 * val_set.angles.abs().mean()
    print(f"mean error when always driving straight {straight:.2f} deg")

    model, criterion = Pilot(), LogCosh()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(1, epochs + 1):
        loss, mae = run_epoch(model, train_loader, criterion, optimizer)
        val, val_mae = run_epoch(model, val_loader, criterion)
        scheduler.step()
        print(f"epoch {epoch:2d}  train {loss:.4f} ({mae:.2f} deg)  val {val:.4f} ({val_mae:.2f} deg)")


if __name__ == "__main__":
    main()
