import logging

import torch

from forecast.data import make_loaders
from forecast.engine import Engine
from forecast.model import LoadTCN
from forecast.settings import Settings

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", datefmt="%H:%M:%S")


def main(cfg=None):
    cfg = cfg or Settings()
    torch.manual_seed(cfg.seed)
    train, hold = make_loaders(cfg)
    model = LoadTCN(len(cfg.exogenous), cfg.channels)
    logging.getLogger("forecast").info("%d parameters, %d windows", sum(p.numel() for p in model.parameters()), len(train.dataset))
    return Engine(cfg, model).run(train, hold)


if __name__ == "__main__":
    main()
