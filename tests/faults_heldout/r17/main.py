import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class DigitCNN(nn.Module):
    def __init__(self, num_classes=10):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Linear(24 * 4, 64), nn.ReLU(),
            nn.Linear(64, num_classes), nn.Softmax(dim=1))

    def forward(self, x):
        return self.classifier(self.conv(x))


class Experiment:
    def __init__(self, lr=0.05, batch_size=64, epochs=20):
        images, labels = load_digits(return_X_y=True)
        x = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 8 - 1
        y = torch.tensor(labels)
        self.xt, self.xv, self.yt, self.yv = train_test_split(x, y, test_size=0.2, random_state=3, stratify=y)
        self.net = DigitCNN()
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.bs, self.epochs = batch_size, epochs

    def epoch(self):
        self.net.train()
        total = 0.0
        for idx in torch.randperm(len(self.xt)).split(self.bs):
            out = self.net(self.xt[idx])
            loss = self.loss(out, self.yt[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(self.xt)

    def test(self):
        self.net.eval()
        with torch.no_grad():
            out = self.net(self.xv)
        return self.loss(out, self.yv).item(), (out.argmax(1) == self.yv).float().mean().item()

    def run(self):
        for e in range(self.epochs):
            tr = self.epoch()
            vl, va = self.test()
            print(f"Epoch {e + 1}: loss={tr:.4f} val_loss={vl:.4f} val_acc={va:.4f}")


if __name__ == "__main__":
    torch.manual_seed(12)
    Experiment().run()
