"""Predict the electrical output of a gas turbine from its sensors."""
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from plant import SENSORS, PlantDataset, Scaler, read_log

HERE = Path(__file__).parent
EPOCHS, BATCH, LR = 25, 32, 0.02


def r2(pred, target):
    return 1 - ((pred - target) ** 2).sum().item() / ((target - target.mean()) ** 2).sum().item()


def run():
    torch.manual_seed(1234)
    x, y = read_log(HERE / "turbine_log.csv")
    x = Scaler(HERE / "sensor_stats.json")(x)
    n_test = len(y) // 5
    x_tr, x_te, y_tr, y_te = x[:-n_test], x[-n_test:], y[:-n_test], y[-n_test:]
    y_mean, y_std = y_tr.mean(), y_tr.std()
    train = PlantDataset(x_tr, y_tr, y_mean, y_std)
    test = PlantDataset(x_te, y_te, y_mean, y_std)
    loader = DataLoader(train, batch_size=BATCH, shuffle=True)

    net = nn.Sequential(nn.Linear(len(SENSORS), 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
    opt = torch.optim.SGD(net.parameters(), lr=LR, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.3)
    mse = nn.MSELoss()

    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = mse(net(xb).squeeze(1), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(yb)
        sched.step()
        net.eval()
        with torch.no_grad():
            pred = net(test.x).squeeze(1)
            test_mse = mse(pred, test.y).item()
        if (epoch + 1) % 5 == 0:
            rmse_mw = test_mse ** 0.5 * y_std.item()
            print(f"{epoch + 1:3d}  train mse {total / len(train):.4f}  test mse {test_mse:.4f}  "
                  f"rmse {rmse_mw:.2f} MW  R2 {r2(pred, test.y):.3f}")


if __name__ == "__main__":
    run()
