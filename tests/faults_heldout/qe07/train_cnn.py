# digit reader for the meter photos; the board has little memory, so small chunks
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

CHUNK = 8
ACCUM = 8          # 8 * 8 = 64 images per update
EPOCHS = 15
LR = 0.1

torch.manual_seed(17)
raw = load_digits()
images = torch.tensor(raw.images, dtype=torch.float32).unsqueeze(1) / 16.0
images = (images - 0.305) / 0.376
labels = torch.tensor(raw.target)
ds = TensorDataset(images, labels)
train_ds, test_ds = random_split(ds, [1472, len(ds) - 1472])
train_dl = DataLoader(train_ds, batch_size=CHUNK, shuffle=True, drop_last=True)
test_dl = DataLoader(test_ds, batch_size=325)

model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(128, 10),
)
optimizer = torch.optim.SGD(model.parameters(), lr=LR)
criterion = nn.CrossEntropyLoss()


def test():
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in test_dl:
            correct += (model(x).argmax(1) == y).sum().item()
    return 100.0 * correct / len(test_ds)


for epoch in range(1, EPOCHS + 1):
    model.train()
    seen = 0.0
    for i, (x, y) in enumerate(train_dl):
        optimizer.zero_grad()
        loss = criterion(model(x), y) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            optimizer.step()
        seen += loss.item() * ACCUM
    print(f"[{epoch}/{EPOCHS}] loss {seen / len(train_dl):.3f}  test {test():.1f}%")
