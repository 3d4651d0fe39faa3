"""Small CNN on the 8x8 digits, with a bit of shift augmentation."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SEED = 3
EPOCHS = 15
BATCH = 64

torch.manual_seed(SEED)
np.random.seed(SEED)

digits = load_digits()
images = digits.images.astype(np.float32) / 16.0
x_train, x_test, y_train, y_test = train_test_split(
    images, digits.target, test_size=0.25, stratify=digits.target, random_state=SEED
)
mean, std = x_train.mean(), x_train.std()
x_train = torch.tensor((x_train - mean) / std).unsqueeze(1)
x_test = torch.tensor((x_test - mean) / std).unsqueeze(1)
y_train = torch.tensor(y_train)
y_test = torch.tensor(y_test)


def random_shift(batch):
    """Shift every image by -1/0/+1 pixel, padding with background."""
    background = -mean / std
    padded = F.pad(batch, (1, 1, 1, 1), value=float(background))
    out = torch.empty_like(batch)
    for i in range(len(batch)):
        dy, dx = np.random.randint(0, 3, 2)
        out[i] = padded[i, :, dy : dy + 8, dx : dx + 8]
    return out


model = nn.Sequential(
    nn.Conv2d(1, 24, 3, padding=1),
    nn.BatchNorm2d(24),
    nn.ReLU(),
    nn.Conv2d(24, 48, 3, padding=1),
    nn.BatchNorm2d(48),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(48, 64, 3, padding=1),
    nn.ReLU(),
    nn.Flatten(),
    nn.Dropout(0.3),
    nn.Linear(64 * 16, 10),
)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(x_train))
    running = 0.0
    for start in range(0, len(perm), BATCH):
        idx = perm[start : start + BATCH]
        logits = model(random_shift(x_train[idx]))
        loss = F.cross_entropy(logits, y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
    scheduler.step()

    model.eval()
    with torch.no_grad():
        logits = model(x_test)
        test_loss = F.cross_entropy(logits, y_test).item()
        test_acc = (logits.argmax(1) == y_test).float().mean().item()
    print(f"[{epoch + 1:02d}/{EPOCHS}] train {running / len(x_train):.4f} | test {test_loss:.4f} | acc {test_acc:.4f}")
