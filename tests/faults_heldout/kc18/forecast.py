import torch
from torch.utils.data import DataLoader, TensorDataset

from loadcast.quantile import QuantileNet, pinball
from loadcast.series import windows

TAUS = [0.1, 0.5, 0.9]
EPOCHS = 20


def main():
    torch.manual_seed(9)
    x, y = windows("load.csv")
    # every fifth week is kept for testing
    week = torch.arange(len(y)) // 168
    test = week % 5 == 4
    mx, sx = x[~test].mean(0), x[~test].std(0)
    my, sy = y[~test].mean(), y[~test].std()
    x, ys = (x - mx) / sx, (y - my) / sy
    loader = DataLoader(TensorDataset(x[~test], ys[~test]), batch_size=64, shuffle=True)

    model = QuantileNet(x.shape[1], TAUS)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        tot = 0.0
        for xb, yb in loader:
            loss = pinball(model(xb), yb, model.taus)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(xb)
        model.eval()
        with torch.no_grad():
            q = model(x[test]) * sy + my
            yt = y[test]
            mae = (q[:, 1] - yt).abs().mean().item()
            cover = ((yt >= q[:, 0]) & (yt <= q[:, 2])).float().mean().item()
            width = (q[:, 2] - q[:, 0]).mean().item()
        print(f"epoch {epoch:2d} pinball {tot / len(loader.dataset):.4f} "
              f"median MAE {mae:6.1f} MW  80% band: coverage {cover:.2f} width {width:6.1f}")


if __name__ == "__main__":
    main()
