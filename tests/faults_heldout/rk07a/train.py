import argparse
import json
import logging
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from turbine.loop import Runner, log
from turbine.model import GruForecaster
from turbine.series import CHANNELS, Forecast, RobustScale, load_channels


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--params", default="params.json")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
    p = json.loads(Path(args.params).read_text())
    torch.manual_seed(p["seed"])

    x_tr, y_tr = load_channels(p["train"])
    x_te, y_te = load_channels(p["test"])
    sx, sy = RobustScale(x_tr), RobustScale(y_tr)
    ds_tr = Forecast(sx(x_tr), sy(y_tr), p["context"], p["ahead"], p["stride"])
    ds_te = Forecast(sx(x_te), sy(y_te), p["context"], p["ahead"], stride=2)
    log.info("windows: %d train, %d test", len(ds_tr), len(ds_te))

    train = DataLoader(ds_tr, p["batch"], shuffle=True, drop_last=True)
    test = DataLoader(ds_te, 512)
    model = GruForecaster(len(CHANNELS), p["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=p["lr"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, p["lr"], total_steps=p["epochs"] * len(train))
    runner = Runner(model, opt, sched)

    unit = float(sy.width)
    for epoch in range(p["epochs"]):
        loss = runner.epoch(train)
        mae, rmse = runner.evaluate(test)
        log.info("epoch %d  loss %.4f  test mae %.2f kW  rmse %.2f kW", epoch, loss, mae * unit, rmse * unit)


if __name__ == "__main__":
    main()
