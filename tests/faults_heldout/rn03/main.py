import numpy as np
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset, random_split

from gnn import GraphNet

EPOCHS = 24
BATCH = 32


def load():
    z = np.load("molecules.npz")
    n, size = z["atom"].shape
    adj = np.unpackbits(z["adj"], axis=1)[:, :size * size].reshape(n, size, size)
    return TensorDataset(torch.from_numpy(z["atom"]).long(), torch.from_numpy(adj).float(), torch.from_numpy(z["label"]).long())


def train_epoch(model, loader, optimizer, scheduler):
    model.train()
    total = 0.0
    for atoms, adj, label in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(atoms, adj), label)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item() * len(label)
    return total / len(loader.dataset)


@torch.no_grad()
def test(model, loader):
    model.eval()
    loss, right = 0.0, 0
    for atoms, adj, label in loader:
        out = model(atoms, adj)
        loss += F.cross_entropy(out, label, reduction="sum").item()
        right += (out.argmax(1) == label).sum().item()
    return loss / len(loader.dataset), right / len(loader.dataset)


def main():
    torch.manual_seed(17)
    train_set, val_set = random_split(load(), [700, 200])
    train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=200)
    model = GraphNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = StepLR(optimizer, step_size=10, gamma=0.5)
    for epoch in range(EPOCHS):
        tr = train_epoch(model, train_loader, optimizer, scheduler)
        vl, acc = test(model, val_loader)
        print(f"epoch {epoch + 1:02d} | train {tr:.4f} | val {vl:.4f} | acc {acc:.3f}")


if __name__ == "__main__":
    main()
