"""40 stroke glyphs, 15 training drawings each."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

N_GLYPHS, PER_TRAIN, PER_TEST, SIDE = 40, 15, 10, 16


def draw(strokes, rng):
    img = np.zeros((SIDE, SIDE), dtype=np.float32)
    pts = strokes + rng.normal(0, 0.35, strokes.shape) + rng.uniform(-1, 1, (1, 2))
    for a, b in zip(pts[:-1], pts[1:]):
        for s in np.linspace(0, 1, 24):
            r, c = np.clip(np.rint(a + (b - a) * s).astype(int), 0, SIDE - 1)
            img[r, c] = 1.0
    return np.clip(img + rng.normal(0, 0.08, img.shape), 0, 1).astype(np.float32)


def build(seed):
    rng = np.random.default_rng(seed)
    glyphs = [rng.uniform(2, SIDE - 3, (5, 2)) for _ in range(N_GLYPHS)]
    out = []
    for per in (PER_TRAIN, PER_TEST):
        x = np.stack([draw(g, rng) for g in glyphs for _ in range(per)])
        y = np.repeat(np.arange(N_GLYPHS), per)
        out.append(TensorDataset(torch.from_numpy(x)[:, None], torch.from_numpy(y)))
    return out


torch.manual_seed(10)
train_set, test_set = build(10)
train = DataLoader(train_set, batch_size=40, shuffle=True)
test = DataLoader(test_set, batch_size=200)

net = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Dropout(0.3), nn.Linear(48 * 16, N_GLYPHS),
)
EPOCHS = 40
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3, nesterov=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train))

for epoch in range(1, EPOCHS + 1):
    net.train()
    total = 0.0
    for x, y in train:
        loss = loss_fn(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            top1 = sum((net(x).argmax(1) == y).sum().item() for x, y in test) / len(test_set)
        print(f"epoch {epoch} | loss {total / len(train):.4f} | top-1 {top1:.4f} | lr {sched.get_last_lr()[0]:.5f}")
