import torch
import torch.nn as nn
from sklearn.datasets import load_wine, load_breast_cancer, load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

SOURCES = {"wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits}


class Mlp(nn.Module):
    def __init__(self, n_in, n_out, hidden=64, p=0.1):
        super().__init__()
        self.l1 = nn.Linear(n_in, hidden)
        self.bn = nn.BatchNorm1d(hidden)
        self.l2 = nn.Linear(hidden, n_out)
        self.p = nn.Dropout(p)

    def forward(self, x):
        return self.l2(self.p(torch.relu(self.bn(self.l1(x)))))


class Experiment:
    def __init__(self, source="digits", batch_size=32, lr=0.05, seed=2024):
        torch.manual_seed(seed)
        bunch = SOURCES[source]()
        x = torch.tensor(bunch.data, dtype=torch.float32)
        x = (x - x.mean(0)) / (x.std(0) + 1e-6)
        y = torch.tensor(bunch.target)
        full = TensorDataset(x, y)
        n_val = len(full) // 5
        self.train_set, self.val_set = random_split(full, [len(full) - n_val, n_val])
        self.train_loader = DataLoader(self.train_set, batch_size, shuffle=True, drop_last=True)
        self.val_loader = DataLoader(self.val_set, batch_size)
        self.net = Mlp(x.shape[1], int(y.max()) + 1)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9, weight_decay=5e-4)
        self.crit = nn.CrossEntropyLoss()

    def train_one_epoch(self):
        self.net.train()
        running = 0.0
        for x, y in self.train_loader:
            self.opt.zero_grad()
            loss = self.crit(self.net(x), y)
            loss.backward()
            self.opt.step()
            running += loss.item()
        return running / len(self.train_loader)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        loss, correct = 0.0, 0
        for x, y in self.val_loader:
            out = self.net(x)
            loss += self.crit(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
        return loss / len(self.val_set), correct / len(self.train_set)

    def run(self, epochs=15):
        history = []
        for epoch in range(epochs):
            train_loss = self.train_one_epoch()
            val_loss, val_acc = self.validate()
            history.append((train_loss, val_loss, val_acc))
            print("epoch %02d | train loss %.4f | val loss %.4f | val acc %.4f" % (epoch, train_loss, val_loss, val_acc))
        return history


if __name__ == "__main__":
    Experiment().run()
