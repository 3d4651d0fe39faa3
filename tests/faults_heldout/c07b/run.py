import os

import torch
from torch.nn.functional import mse_loss

from src.graphs import MoleculeFile
from src.mpnn import EnergyNet

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "molecules.npz")
N_TEST, BATCH, EPOCHS = 200, 32, 9


def r2(model, data, index):
    model.eval()
    pred, true = [], []
    with torch.no_grad():
        for part in index.split(100):
            *graph, y = data.batch(part)
            pred.append(model(*graph, len(part)))
            true.append(y)
    pred, true = torch.cat(pred), torch.cat(true)
    return 1 - ((pred - true) ** 2).sum().item() / ((true - true.mean()) ** 2).sum().item()


def main(seed=1):
    torch.manual_seed(seed)
    data = MoleculeFile(DATA)
    perm = torch.randperm(len(data.graphs))
    test, train = perm[:N_TEST], perm[N_TEST:]
    model = EnergyNet()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    for epoch in range(EPOCHS):
        model.train()
        seen = 0.0
        for part in train[torch.randperm(len(train))].split(BATCH):
            *graph, y = data.batch(part)
            opt.zero_grad()
            loss = mse_loss(model(*graph, len(part)), y)
            loss.backward()
            opt.step()
            seen += loss.item() * len(part)
        sched.step()
        print(f"epoch={epoch} mse={seen / len(train):.5g} test_r2={r2(model, data, test):.4f}")


if __name__ == "__main__":
    main()
