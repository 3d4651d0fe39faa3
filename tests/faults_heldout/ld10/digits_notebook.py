# %% [markdown]
# Digits with a small convnet, exported from the notebook

# %%
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(2024)

# %%
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
images = (images - images.mean()) / images.std()
labels = torch.tensor(digits.target)
dataset = TensorDataset(images, labels)
train_set, val_set = random_split(dataset, [1350, len(dataset) - 1350])

BATCH = 50
train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True, drop_last=True)
val_loader = DataLoader(val_set, batch_size=BATCH, drop_last=True)

# %%
net = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.25),
    nn.Linear(32 * 2 * 2, 10),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)

# %%
history = {"loss": [], "val_loss": [], "acc": [], "val_acc": []}

for epoch in range(12):
    net.train()
    running, correct, seen = 0.0, 0, 0
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = loss_fn(outputs, targets)
        loss.backward()
        optimizer.step()
        preds = outputs.argmax(dim=1)
        running += loss.item() * targets.size(0)
        correct += (preds == targets).sum().item()
        seen += targets.size(0)
    history["loss"].append(running / seen)
    history["acc"].append(correct / seen)

    net.eval()
    running, correct, seen = 0.0, 0, 0
    with torch.no_grad():
        for inputs, targets in val_loader:
            val_outputs = net(inputs)
            running += loss_fn(val_outputs, targets).item() * targets.size(0)
            correct += (outputs.argmax(dim=1) == targets).sum().item()
            seen += targets.size(0)
    history["val_loss"].append(running / seen)
    history["val_acc"].append(correct / seen)

    print("epoch %2d | " % (epoch + 1) + " | ".join("%s %.4f" % (k, v[-1]) for k, v in history.items()))

# %%
best = max(range(len(history["val_acc"])), key=lambda e: history["val_acc"][e])
print("best epoch", best + 1, "val acc %.4f" % history["val_acc"][best])
