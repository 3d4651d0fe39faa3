from pathlib import Path

import torch
from torch.utils.data import DataLoader

from soundscape.features import MelClips, input_stats
from soundscape.model import SmallCNN
from soundscape.trainer import History, Printer, Trainer

TAGS = ["rain", "engine", "bird", "siren", "steps", "wind"]


def main():
    torch.manual_seed(1234)
    folder = Path(__file__).resolve().parent / "clips"
    train = MelClips(folder / "train.npz")
    valid = MelClips(folder / "valid.npz")
    model = SmallCNN(len(TAGS), *input_stats(train))
    epochs = 24
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    history = History()
    trainer = Trainer(model, optimizer, scheduler, [Printer(4), history])
    trainer.fit(DataLoader(train, batch_size=32, shuffle=True), DataLoader(valid, batch_size=128), epochs)
    best = max(history.rows, key=lambda r: r["val_acc"])
    print(f"best validation accuracy {best['val_acc']:.3f} (epoch {best['epoch']})")


if __name__ == "__main__":
    main()
