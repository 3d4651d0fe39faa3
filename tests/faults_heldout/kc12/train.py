import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

from recall.model import Lookup

EPOCHS, BATCH, LR = 16, 64, 3e-3


def main():
    torch.manual_seed(6)
    rows = torch.from_numpy(np.loadtxt("pairs.csv", delimiter=",", dtype=np.int64))
    ds = TensorDataset(rows[:, :8], rows[:, 8:16], rows[:, 16])
    train, test = random_split(ds, [len(ds) - 500, 500])
    loader = DataLoader(train, batch_size=BATCH, shuffle=True)
    model = Lookup()
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, LR, total_steps=EPOCHS * len(loader), pct_start=0.1)
    for e in range(EPOCHS):
        model.train()
        tl = 0.0
        for k, v, y in loader:
            loss = F.cross_entropy(model(k, v), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tl += loss.item()
        model.eval()
        with torch.no_grad():
            k, v, y = (t[test.indices] for t in ds.tensors)
            z = model(k, v)
            acc = (z.argmax(1) == y).float().mean()
        print(f"{e + 1:3d} train {tl / len(loader):.4f} test {F.cross_entropy(z, y):.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
