"""Short-term load forecasting for one distribution feeder."""
import configparser
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from forecaster import LoadForecaster
from scaling import make_scaler, windows

root = Path(__file__).parent
LOAD = 1


def read_frame(path):
    raw = np.genfromtxt(path, delimiter=",", skip_header=1)
    hour = raw[:, 0].astype(int)
    calendar = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
                         ((hour // 24) % 7 >= 5).astype(float)], axis=1)
    return raw[:, 1:], calendar


def r2(y, yhat):
    return 1 - ((y - yhat) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def main():
    ini = configparser.ConfigParser()
    ini.read(root / "settings.ini")
    data, net, fit = ini["data"], ini["network"], ini["fit"]
    torch.manual_seed(fit.getint("seed"))

    measured, calendar = read_frame(root / data["file"])
    split = len(measured) - 24 * data.getint("test_days")
    scaler = make_scaler(data["scaling"]).fit(measured[:split])
    series = np.concatenate([scaler.transform(measured), calendar], axis=1)
    lb, hz = data.getint("lookback"), data.getint("horizon")
    xtr, ytr = windows(series[:split], lb, hz, LOAD)
    xte, yte = windows(series[split - lb:], lb, hz, LOAD)
    loader = DataLoader(TensorDataset(torch.from_numpy(xtr), torch.from_numpy(ytr)),
                        batch_size=fit.getint("batch_size"), shuffle=True)

    model = LoadForecaster(series.shape[1], net.getint("hidden"), hz, net.getfloat("dropout"))
    opt = torch.optim.Adam(model.parameters(), lr=fit.getfloat("lr"))
    loss_fn = torch.nn.MSELoss()
    actual = scaler.inverse(yte, LOAD)

    for epoch in range(fit.getint("epochs")):
        model.train()
        running = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            running += loss.item() * len(xb)
        model.eval()
        with torch.no_grad():
            pred = scaler.inverse(model(torch.from_numpy(xte)).numpy(), LOAD)
        rmse = float(np.sqrt(((pred - actual) ** 2).mean()))
        print(f"[{epoch + 1:02d}] loss={running / len(xtr):.5f} "
              f"test_rmse={rmse:.1f} MW  test_r2={r2(actual, pred):.3f}")


if __name__ == "__main__":
    main()
