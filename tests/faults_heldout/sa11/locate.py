"""Single-object localisation: predict (cx, cy, w, h) of the bright part in a noisy X-ray like image."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

IMG = 32


class PartDataset(Dataset):
    """Rectangular parts on a textured background; boxes relative to the image size."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.boxes = torch.empty(n, 4)
        self.boxes[:, 2:] = torch.rand(n, 2, generator=g) * 0.30 + 0.15
        half = self.boxes[:, 2:] / 2
        self.boxes[:, :2] = half + torch.rand(n, 2, generator=g) * (1 - 2 * half)
        axis = (torch.arange(IMG) + 0.5) / IMG
        inside_x = (axis[None] - self.boxes[:, 0:1]).abs() < half[:, 0:1]
        inside_y = (axis[None] - self.boxes[:, 1:2]).abs() < half[:, 1:2]
        part = (inside_y[:, :, None] & inside_x[:, None, :]).float()
        strength = 0.8 + 0.7 * torch.rand(n, 1, 1, generator=g)
        noise = 0.35 * torch.randn(n, IMG, IMG, generator=g)
        self.images = (strength * part + noise).unsqueeze(1)

    def __len__(self):
        return len(self.boxes)

    def __getitem__(self, i):
        return self.images[i], self.boxes[i]


class Locator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.regressor = nn.Sequential(
            nn.Flatten(), nn.Linear(2 * width * (IMG // 8) ** 2, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, x):
        return self.regressor(self.backbone(x))


def to_corners(b):
    return torch.cat([b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2], dim=1)


def box_iou(pred, target):
    p, t = to_corners(pred), to_corners(target)
    overlap = (torch.minimum(p[:, 2:], t[:, 2:]) - torch.maximum(p[:, :2], t[:, :2])).clamp(min=0).prod(1)
    area = lambda c: (c[:, 2:] - c[:, :2]).clamp(min=0).prod(1)
    return overlap / (area(p) + area(t) - overlap).clamp(min=1e-6)


class LocatorTraining:
    def __init__(self, epochs=12, batch_size=32, lr=0.05, momentum=0.9):
        self.epochs = epochs
        self.train_loader = DataLoader(PartDataset(1600, seed=1), batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(PartDataset(400, seed=2), batch_size=200)
        self.model = Locator()
        self.criterion = nn.SmoothL1Loss(beta=0.1, reduction="sum")
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=momentum, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)

    def train_one_epoch(self):
        self.model.train()
        losses = []
        for images, boxes in self.train_loader:
            loss = self.criterion(self.model(images), boxes)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        self.scheduler.step()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        ious = torch.cat([box_iou(self.model(images), boxes) for images, boxes in self.val_loader])
        return ious.mean().item(), (ious > 0.5).float().mean().item()

    def run(self):
        for epoch in range(1, self.epochs + 1):
            loss = self.train_one_epoch()
            iou, hit = self.validate()
            print(f"epoch {epoch}/{self.epochs} - loss: {loss:.4f} - val_iou: {iou:.4f} - val_ap50: {hit:.4f}")


if __name__ == "__main__":
    torch.manual_seed(88)
    LocatorTraining().run()
