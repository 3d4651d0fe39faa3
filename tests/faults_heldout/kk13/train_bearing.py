import torch
from torch.utils.data import DataLoader

from bearing_data import CONDITIONS, BearingDataset, read_labels, split
from net import BearingNet

EPOCHS, BATCH, LR = 40, 24, 3e-3


def confusion(model, loader):
    m = torch.zeros(len(CONDITIONS), len(CONDITIONS), dtype=torch.long)
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            m.index_put_((y, model(x).argmax(1)), torch.ones(len(y), dtype=torch.long), accumulate=True)
    return m


def main():
    torch.manual_seed(50)
    train_idx, val_idx = split(len(read_labels()))
    train = DataLoader(BearingDataset(train_idx, jitter=6), BATCH, shuffle=True, drop_last=True)
    val = DataLoader(BearingDataset(val_idx), 80)
    model = BearingNet()
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
    loss_fn = torch.nn.CrossEntropyLoss()
    for epoch in range(1, EPOCHS + 1):
        model.train()
        s = 0.0
        for x, y in train:
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item()
        if epoch % 5 == 0:
            m = confusion(model, val)
            print(f"epoch {epoch:2d}: loss {s / len(train):.3f}, val accuracy {m.diag().sum().item() / m.sum().item():.3f}")
    print("confusion (rows = truth)")
    for name, row in zip(CONDITIONS, m.tolist()):
        print(f"  {name:7s} {row}")


if __name__ == "__main__":
    main()
