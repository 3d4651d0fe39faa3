import configparser
import logging
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from forecast.model import Seq2Horizon
from forecast.windows import Windows, features, read_series

log = logging.getLogger("forecast")
ROOT = Path(__file__).parent


def run_epoch(model, loader, criterion, optimizer=None, clip=None):
    model.train(optimizer is not None)
    total, count = 0.0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for past, calendar, target in loader:
            pred = model(past, calendar)
            loss = criterion(pred, target)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
            total += loss.item() * target.size(0)
            count += target.size(0)
    return total / count


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    ini = configparser.ConfigParser()
    ini.read(ROOT / "settings.ini")
    series, net, fit = ini["series"], ini["net"], ini["fit"]
    torch.manual_seed(fit.getint("seed"))

    hour, temp, load = read_series(ROOT / series["path"])
    cut1, cut2 = int(len(hour) * 0.7), int(len(hour) * 0.85)
    scale = {
        "load": (load[:cut1].mean(), load[:cut1].std()),
        "temp": (temp[:cut1].mean(), temp[:cut1].std()),
    }
    feats = features(hour, temp, load, scale)
    history, horizon = series.getint("history"), series.getint("horizon")
    train_set = Windows(feats[:cut1], history, horizon, series.getint("stride"))
    val_set = Windows(feats[cut1:cut2], history, horizon, 2)
    test_set = Windows(feats[cut2:], history, horizon, 2)
    log.info("windows: train %d, val %d, test %d", len(train_set), len(val_set), len(test_set))

    train_loader = DataLoader(train_set, fit.getint("batch"), shuffle=True)
    val_loader = DataLoader(val_set, 256)
    test_loader = DataLoader(test_set, 256)

    model = Seq2Horizon(feats.shape[1], 3, net.getint("hidden"), net.getint("layers"))
    optimizer = torch.optim.Adam(model.parameters(), lr=fit.getfloat("lr"))
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    criterion = nn.SmoothL1Loss(beta=0.5)

    for epoch in range(fit.getint("epochs")):
        tr = run_epoch(model, train_loader, criterion, optimizer, fit.getfloat("clip"))
        va = run_epoch(model, val_loader, criterion)
        plateau.step(va)
        log.info("epoch %2d train %.4f val %.4f lr %.2e", epoch, tr, va, optimizer.param_groups[0]["lr"])

    mae = run_epoch(model, test_loader, nn.L1Loss()) * scale["load"][1]
    naive = sum((p[:, history - 24:history - 24 + horizon, 0] - t).abs().sum().item()
                for p, _, t in test_loader) / (len(test_set) * horizon) * scale["load"][1]
    log.info("test MAE %.1f MW (same hour yesterday: %.1f MW, load mean %.0f MW)", mae, naive, load.mean())


if __name__ == "__main__":
    main()
