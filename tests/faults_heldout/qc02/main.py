import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from engine import LogHook, OptimizerHook, Runner


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(24 * 16, 48), nn.ReLU(), nn.Linear(48, 10),
    )


def loaders(batch_size=32):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    y = torch.tensor(d.target)
    a, b = train_test_split(range(len(y)), test_size=0.25, stratify=d.target, random_state=0)
    return (DataLoader(TensorDataset(x[a], y[a]), batch_size, shuffle=True),
            DataLoader(TensorDataset(x[b], y[b]), 256))


if __name__ == "__main__":
    torch.manual_seed(11)
    train, val = loaders()
    model = build_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    runner = Runner(model, optimizer, train, val, max_epochs=10)
    runner.register(OptimizerHook(max_norm=5.0), LogHook())
    runner.run()
