"""Fine-tune the survey encoder on the labelled tiles of this year's fields."""
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from fieldseg import SegNet, Tiles

HERE = Path(__file__).resolve().parent


def dice(logits, mask):
    hit = (logits > 0).float()
    return (2 * (hit * mask).sum() / (hit.sum() + mask.sum()).clamp_min(1)).item()


def evaluate(net, loader):
    net.eval()
    logits, masks = [], []
    with torch.no_grad():
        for image, mask in loader:
            logits.append(net(image))
            masks.append(mask)
    logits, masks = torch.cat(logits), torch.cat(masks)
    return F.binary_cross_entropy_with_logits(logits, masks).item(), dice(logits, masks)


def main():
    torch.manual_seed(40)
    train = DataLoader(Tiles(HERE / "tiles.npz", 0, 400, flip=True), batch_size=16, shuffle=True, drop_last=True)
    valid = DataLoader(Tiles(HERE / "tiles.npz", 400, 520), batch_size=60)
    net = SegNet()
    report = net.encoder.load_state_dict(torch.load(HERE / "survey_encoder.pt", weights_only=True))
    print("survey encoder:", report)
    optimizer = torch.optim.Adam([
        {"params": net.encoder.parameters(), "lr": 2e-3},
        {"params": [*net.fuse.parameters(), *net.gate.parameters(), *net.mask.parameters()], "lr": 4e-3},
    ])
    epochs = 24
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for image, mask in train:
            loss = F.binary_cross_entropy_with_logits(net(image), mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        schedule.step()
        if (epoch + 1) % 3 == 0:
            bce, overlap = evaluate(net, valid)
            print(f"epoch {epoch + 1:2d}  train {total / len(train):.4f}  valid {bce:.4f}  dice {overlap:.3f}")


if __name__ == "__main__":
    main()
