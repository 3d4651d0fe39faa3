"""Hand-written digits (8x8). The run is counted in steps, not in passes over the data."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

STEPS, BATCH, EVERY = 700, 64, 100
SEED = 17


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(128, 10))

    def forward(self, x):
        return self.fc(self.conv(x))


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        out = net(x)
        res = nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()
    net.train()
    return res


def main():
    torch.manual_seed(SEED)
    d = load_digits()
    x = (d.images / 16.0 - 0.3).astype(np.float32)[:, None]
    xa, xb, ya, yb = train_test_split(x, d.target, test_size=0.25, stratify=d.target, random_state=SEED)
    xb, yb = torch.from_numpy(xb), torch.from_numpy(yb).long()
    train = TensorDataset(torch.from_numpy(xa), torch.from_numpy(ya).long())

    sampler = RandomSampler(train, replacement=True, num_samples=STEPS * BATCH)
    loader = DataLoader(train, batch_size=BATCH, sampler=sampler)

    net = DigitNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.08, momentum=0.9, weight_decay=1e-3, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.08, total_steps=STEPS, pct_start=0.2)
    window = []
    for step, (inputs, labels) in enumerate(loader, 1):
        loss = nn.functional.cross_entropy(net(inputs), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        window.append(loss.item())
        if step % EVERY == 0:
            vl, va = evaluate(net, xb, yb)
            print(f"step {step:4d}  loss {np.mean(window):.4f}  val loss {vl:.4f}  val acc {va:.4f}")
            window.clear()


if __name__ == "__main__":
    main()
