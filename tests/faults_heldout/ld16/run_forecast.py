import torch
from torch import nn

from forecast.data import load
from forecast.losses import pinball

QUANTILES = (0.1, 0.5, 0.9)


def main():
    torch.manual_seed(8)
    x, y, x_test, y_test = load("load.csv")
    model = nn.Sequential(nn.Linear(x.shape[1], 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, len(QUANTILES)))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 21):
        model.train()
        running = 0.0
        for idx in torch.randperm(len(x)).split(64):
            loss = pinball(model(x[idx]), y[idx], QUANTILES)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            lo, mid, hi = model(x_test).unbind(1)
        inside = ((y_test > lo) & (y_test < hi)).float().mean()
        print(f"epoch {epoch:2d} pinball {running / len(x):.4f}  median MAE {(mid - y_test).abs().mean():.4f}  "
              f"80% band covers {inside:.3f} width {(hi - lo).mean():.3f}")


if __name__ == "__main__":
    main()
