"""Small convnet for 8x8 handwritten digits."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 26
LR = 6e-3
BATCH = 64


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1, bias=False)
        self.b1 = nn.BatchNorm2d(16)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1, bias=False)
        self.b2 = nn.BatchNorm2d(32)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.b1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.b2(self.c2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    torch.manual_seed(11)
    X, y = load_digits(return_X_y=True)
    X = X.astype("float32").reshape(-1, 1, 8, 8) / 16.0
    Xa, Xt, ya, yt = train_test_split(X, y, test_size=0.2, stratify=y, random_state=4)
    Xa, Xv, ya, yv = train_test_split(Xa, ya, test_size=0.2, stratify=ya, random_state=4)
    mu, sd = Xa.mean(), Xa.std()

    def pack(x, t):
        return TensorDataset(torch.from_numpy((x - mu) / sd), torch.from_numpy(t).long())

    train = DataLoader(pack(Xa, ya), batch_size=BATCH, shuffle=True, drop_last=True)
    val = DataLoader(pack(Xv, yv), batch_size=256)
    test = DataLoader(pack(Xt, yt), batch_size=256)

    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train))
    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        for x, t in train:
            opt.zero_grad()
            loss = F.cross_entropy(net(x), t)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        vl, va = evaluate(net, val)
        print(f"epoch {epoch + 1:2d}  train {total / len(train):.4f}  val {vl:.4f}  acc {va:.4f}")
    tl, ta = evaluate(net, test)
    print(f"test loss {tl:.4f}  accuracy {ta:.4f}")


if __name__ == "__main__":
    main()
