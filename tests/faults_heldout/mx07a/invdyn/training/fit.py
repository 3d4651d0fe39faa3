import torch
from torch import nn


def fit(net, data, st, callbacks=()):
    x, y = data["train"]
    mse = nn.MSELoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=st.lr)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, T_max=st.epochs, eta_min=st.lr / 100
    )
    for epoch in range(1, st.epochs + 1):
        net.train()
        total = 0.0
        for rows in torch.randperm(len(x)).split(st.batch_size):
            optimizer.zero_grad()
            loss = mse(net(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        decay.step()

        net.eval()
        with torch.no_grad():
            val = mse(net(data["val"][0]), data["val"][1]).item()
        for cb in callbacks:
            cb(epoch, {"train": total / len(x), "val": val})


@torch.no_grad()
def rms_error(net, data, part):
    net.eval()
    x, y = data[part]
    pred, true = data.torque(net(x)), data.torque(y)
    sq = (pred - true) ** 2
    spread = (true - true.mean(0)) ** 2
    return sq.mean(0).sqrt().tolist(), (1 - sq.sum() / spread.sum()).item()
