# leaf condition from small colour thumbnails
from pathlib import Path
import json

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

here = Path(__file__).resolve().parent
torch.set_num_threads(1)
torch.manual_seed(52)


def read(split):
    pixels = np.load(here / "thumbs" / f"{split}.npy")
    labels = json.loads((here / "thumbs" / f"{split}_labels.json").read_text())
    x = torch.from_numpy(pixels.astype(np.float32)).permute(0, 3, 1, 2) / 255.0
    return x, torch.tensor(labels)


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.a = nn.Conv2d(3, 24, 3, padding=1)
        self.b = nn.Conv2d(24, 32, 3, padding=1)
        self.c = nn.Conv2d(32, 48, 3, padding=1)
        self.norm = nn.GroupNorm(4, 48)
        self.fc = nn.Linear(48, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.a(x)), 2)
        x = F.max_pool2d(F.relu(self.b(x)), 2)
        x = F.relu(self.norm(self.c(x)))
        return self.fc(x.mean((2, 3)))


x_train, y_train = read("train")
x_val, y_val = read("val")
center = x_train.mean((0, 2, 3), keepdim=True)
spread = x_train.std((0, 2, 3), keepdim=True)
x_train = (x_train - center) / spread
x_val = (x_val - center) / spread

model = Net(int(y_train.max()) + 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
EPOCHS, BATCH = 12, 32
total_steps = EPOCHS * -(-len(x_train) // BATCH)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=4e-3, total_steps=total_steps)
best = 1e9
for epoch in range(EPOCHS):
    model.train()
    running = []
    for idx in torch.randperm(len(x_train)).split(BATCH):
        xb, yb = x_train[idx], y_train[idx]
        if torch.rand(()) < 0.5:
            xb = xb.flip(3)
        loss = F.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running.append(loss.item())
    model.eval()
    with torch.no_grad():
        logits = model(x_val)
        val_loss = F.cross_entropy(logits, y_val).item()
        val_acc = (logits.argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch + 1:2d}/{EPOCHS} loss {np.mean(running):.4f} val_loss {val_loss:.4f} val_acc {val_acc:.3f}")
    if val_loss < best:
        best = val_loss
        torch.save({"model": model.state_dict(), "center": center, "spread": spread}, here / "leaf.pt")
