import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from seg.scans import scans
from seg.unet import TinyUNet


def dice(model, loader):
    model.eval()
    inter = size = 0
    with torch.no_grad():
        for img, mask in loader:
            p = model(img).argmax(1)
            inter += (p * mask).sum().item()
            size += p.sum().item() + mask.sum().item()
    return 2 * inter / max(size, 1)


def main():
    torch.manual_seed(15)
    train = DataLoader(TensorDataset(*scans(400, 1)), batch_size=16, shuffle=True)
    test = DataLoader(TensorDataset(*scans(120, 2)), batch_size=40)
    model = TinyUNet()
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(10):
        model.train()
        total = pix = 0.0
        for img, mask in train:
            logits = model(img)
            loss = criterion(logits, mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            pix += (logits.argmax(1) == mask).float().mean().item()
        print(f"epoch {epoch}  loss {total / len(train):.4f}  pixel acc {pix / len(train):.4f}  "
              f"scratch dice {dice(model, test):.4f}")


if __name__ == "__main__":
    main()
