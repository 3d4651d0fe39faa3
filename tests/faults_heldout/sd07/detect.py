"""Keypoint-heatmap detector for small particles in microscopy tiles."""
import math

import numpy as np
import torch
import torch.nn as nn

TILE, STRIDE, GRID = 32, 2, 16
PRIOR = 0.01


class ParticleTiles(torch.utils.data.Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[0:TILE, 0:TILE]
        gy, gx = np.mgrid[0:GRID, 0:GRID]
        self.images = np.zeros((count, 1, TILE, TILE), np.float32)
        self.heat = np.zeros((count, 1, GRID, GRID), np.float32)
        self.centres = []
        for n in range(count):
            image = 0.2 + 0.1 * rng.random((TILE, TILE)) + 0.1 * xx / TILE * rng.random()
            points = []
            for _ in range(rng.integers(1, 4)):
                cy, cx = rng.uniform(3, TILE - 3, 2)
                if any((cy - a) ** 2 + (cx - b) ** 2 < 64 for a, b in points):
                    continue
                points.append((cy, cx))
                radius = rng.uniform(1.3, 2.2)
                image += rng.uniform(0.4, 0.7) * np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * radius ** 2))
                ky, kx = int(cy // STRIDE), int(cx // STRIDE)
                splat = np.exp(-((gy - ky) ** 2 + (gx - kx) ** 2) / (2 * 0.8 ** 2))
                self.heat[n, 0] = np.maximum(self.heat[n, 0], splat)
            if rng.random() < 0.5:
                col = rng.integers(2, TILE - 2)
                image[:, col] += 0.25
            self.images[n, 0] = np.clip(image, 0, 1)
            self.centres.append(points)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.from_numpy(self.heat[i])


class Detector(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, stride=2, padding=1), nn.ReLU())
        self.trunk = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.heat = nn.Conv2d(width, 1, 1)
        self.reset_parameters()

    def reset_parameters(self):
        prior_bias = -math.log((1 - PRIOR) / PRIOR)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
                nn.init.constant_(m.bias, prior_bias)

    def forward(self, x):
        return self.heat(self.trunk(self.stem(x)))


def focal_loss(logits, target, alpha=2.0, beta=4.0):
    p = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    positive = target.eq(1).float()
    pos = positive * (1 - p) ** alpha * torch.log(p)
    neg = (1 - positive) * (1 - target) ** beta * p ** alpha * torch.log(1 - p)
    return -(pos + neg).sum() / positive.sum().clamp(min=1)


@torch.no_grad()
def detection_f1(model, dataset, threshold=0.3):
    model.eval()
    heat = torch.sigmoid(model(torch.from_numpy(dataset.images)))
    peak = (heat == nn.functional.max_pool2d(heat, 3, 1, 1)) & (heat > threshold)
    tp = fp = fn = 0
    for k, centres in enumerate(dataset.centres):
        found = [((y + 0.5) * STRIDE, (x + 0.5) * STRIDE) for y, x in peak[k, 0].nonzero().tolist()]
        left = list(centres)
        for fy, fx in found:
            hit = next((c for c in left if (c[0] - fy) ** 2 + (c[1] - fx) ** 2 <= 9), None)
            if hit is None:
                fp += 1
            else:
                left.remove(hit)
                tp += 1
        fn += len(left)
    return 2 * tp / max(1, 2 * tp + fp + fn), tp + fp


def main():
    torch.manual_seed(21)
    train, test = ParticleTiles(900, seed=1), ParticleTiles(200, seed=2)
    loader = torch.utils.data.DataLoader(train, batch_size=30, shuffle=True)
    model = Detector()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.3)
    for epoch in range(1, 11):
        model.train()
        history = []
        for image, heat in loader:
            loss = focal_loss(model(image), heat)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        scheduler.step()
        f1, found = detection_f1(model, test)
        print(f"epoch {epoch:2d}  focal {np.mean(history):.3f}  test F1 {f1:.3f}  detections {found}")


if __name__ == "__main__":
    main()
