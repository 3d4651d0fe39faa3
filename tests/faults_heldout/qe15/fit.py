import torch
from torch.utils.data import DataLoader

from gestures.dataset import GESTURES, Swipes
from gestures.model import build


def main(epochs=15):
    torch.manual_seed(9)
    train = DataLoader(Swipes("swipes.npz", "train", jitter=True), batch_size=32, shuffle=True, drop_last=True)
    test = DataLoader(Swipes("swipes.npz", "test"), batch_size=350)
    net = build(len(GESTURES))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    ce = torch.nn.CrossEntropyLoss()
    for ep in range(epochs):
        net.train()
        tl = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = ce(net(x), y)
            loss.backward()
            opt.step()
            tl += loss.item() / len(train)
        net.eval()
        per = torch.zeros(len(GESTURES), 2)
        with torch.no_grad():
            for x, y in test:
                ok = net(x).argmax(1) == y
                for c in range(len(GESTURES)):
                    per[c] += torch.tensor([ok[y == c].sum(), (y == c).sum()])
        rates = " ".join(f"{g}={a / b:.2f}" for g, (a, b) in zip(GESTURES, per))
        print(f"{ep + 1:2d} loss {tl:.3f} test {per[:, 0].sum() / per[:, 1].sum():.3f}  {rates}")


if __name__ == "__main__":
    main()
