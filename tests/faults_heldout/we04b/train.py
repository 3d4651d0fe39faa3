import json
import logging
import sys
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

from forecaster import LoadData, Seq2Horizon

log = logging.getLogger("load-forecast")


@torch.no_grad()
def validate(model, data, loader):
    model.eval()
    err, naive = [], []
    for past, future, target, site in loader:
        pred = model(past, future)
        err.append(data.to_mw(pred - target, site).abs())
        naive.append(data.to_mw(past[:, -24:, 0] - target, site).abs())
    model.train()
    return torch.cat(err).mean().item(), torch.cat(naive).mean().item()


def main(argv):
    here = Path(__file__).resolve().parent
    path = Path(argv[1]) if len(argv) > 1 else here / "settings.json"
    settings = json.loads(path.read_text())
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stdout)

    tr = settings["training"]
    torch.manual_seed(tr["seed"])
    np.random.seed(tr["seed"])
    data = LoadData(here / "load.npz", **settings["window"])
    train = DataLoader(data.train, tr["batch_size"], shuffle=True, drop_last=True)
    val = DataLoader(data.val, 128)
    model = Seq2Horizon(5, 4, settings["window"]["horizon"], **settings["model"])

    opt_cfg = dict(settings["optimizer"])
    opt_cls = getattr(torch.optim, opt_cfg.pop("name"))
    optimizer = opt_cls(model.parameters(), **opt_cfg)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, tr["epochs"])
    criterion = torch.nn.SmoothL1Loss()
    log.info("%d train windows, %d val windows, %d steps per epoch", len(data.train), len(data.val), len(train))

    for epoch in range(1, tr["epochs"] + 1):
        window = []
        for i, (past, future, target, _) in enumerate(train, 1):
            optimizer.zero_grad()
            loss = criterion(model(past, future), target)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            window.append(loss.item())
            if i % tr["log_every"] == 0:
                log.info("epoch %d  %4d/%d  loss %.4f", epoch, i, len(train), np.mean(window[-tr["log_every"]:]))
        scheduler.step()
        mae, naive = validate(model, data, val)
        log.info("epoch %d  train %.4f  val MAE %.2f MW  (same hour yesterday: %.2f MW)", epoch, np.mean(window), mae, naive)


if __name__ == "__main__":
    main(sys.argv)
