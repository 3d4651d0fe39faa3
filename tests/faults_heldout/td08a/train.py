import configparser

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from forecaster import Forecaster
from series import windows


@torch.no_grad()
def test_mae(model, data, scaler):
    model.eval()
    x, ahead, y = data
    pred = model(x, ahead)
    return nn.functional.mse_loss(pred, y).item(), (scaler.undo(pred) - scaler.undo(y)).abs().mean().item()


def main():
    cfg = configparser.ConfigParser()
    cfg.read("config.ini")
    d, t = cfg["data"], cfg["training"]
    torch.manual_seed(t.getint("seed"))

    train, test, scaler = windows(
        d["file"], d.getint("history"), d.getint("horizon"), d.getint("test_days"), d["target_scaling"])
    loader = DataLoader(TensorDataset(*train), batch_size=t.getint("batch_size"), shuffle=True)
    model = Forecaster(train[0].size(2), cfg["model"].getint("hidden"))
    opt = torch.optim.Adam(model.parameters(), lr=t.getfloat("lr"))
    epochs = t.getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for x, ahead, y in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x, ahead), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item() * len(y)
        sched.step()
        mse, mae = test_mae(model, test, scaler)
        print(f"epoch {epoch:02d}  train {total / len(train[2]):.5f}  test {mse:.5f}  test MAE {mae:.1f} MW")

    history_mean = train[2].mean()
    naive = (scaler.undo(history_mean) - scaler.undo(test[2])).abs().mean().item()
    print(f"MAE of a constant forecast {naive:.1f} MW")


if __name__ == "__main__":
    main()
