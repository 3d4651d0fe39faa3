import torch
from torch import nn
from torch.utils.data import DataLoader

from signs.dataset import Compose, RandomFlip, RandomGain, SignDataset

torch.manual_seed(0)
train_ds = SignDataset(1500, seed=0, transform=Compose(RandomFlip(), RandomGain()))
val_ds = SignDataset(360, seed=1)
train_dl = DataLoader(train_ds, batch_size=32, shuffle=True)
val_dl = DataLoader(val_ds, batch_size=120)

model = nn.Sequential(
    nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(24 * 25, 48), nn.ReLU(), nn.Linear(48, 6))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [8], gamma=0.2)
crit = nn.CrossEntropyLoss()

for epoch in range(11):
    model.train()
    tl = 0.0
    for x, y in train_dl:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tl += loss.item() * len(y)
    sched.step()
    model.eval()
    vl = hit = 0
    with torch.no_grad():
        for x, y in val_dl:
            z = model(x)
            vl += crit(z, y).item() * len(y)
            hit += (z.argmax(1) == y).sum().item()
    print(f"epoch {epoch:2d} train {tl / len(train_ds):.4f} val {vl / len(val_ds):.4f} acc {hit / len(val_ds):.3f}")
