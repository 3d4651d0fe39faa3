import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
device = torch.device("cuda")
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3
labels = torch.tensor(digits.target)
order = torch.randperm(len(images))
images, labels = images[order], labels[order]
train_set = TensorDataset(images[:1400], labels[:1400])
test_set = TensorDataset(images[1400:], labels[1400:])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.norm = nn.BatchNorm2d(64)
        self.head = nn.Linear(64 * 4 * 4, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.norm(self.conv2(x))), 2)
        return self.head(x.flatten(1))


def test(model):
    model.eval()
    right = 0
    loss = 0.0
    with torch.no_grad():
        for x, y in DataLoader(test_set, batch_size=256):
            x, y = x.to(device), y.to(device)
            out = model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            right += (out.argmax(1) == y).sum().item()
    return loss / len(test_set), right / len(test_set)


model = Net().to(device)
optimizer = torch.optim.AdamW(model.head.parameters(), lr=2e-3)
loader = DataLoader(train_set, batch_size=64, shuffle=True, pin_memory=True, num_workers=2)
for epoch in range(8):
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(f"epoch {epoch} train {total / len(train_set):.4f} test %.4f acc %.3f" % test(model))
