import logging

import torch

from screening.data import load_splits
from screening.model import build_mlp
from screening.trainer import Trainer

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")


def main():
    torch.manual_seed(11)
    splits = load_splits(seed=11)
    model = build_mlp(splits["train"][0].shape[1])
    trainer = Trainer(model, splits)
    best = trainer.fit()
    test = trainer.score("test")
    logging.info("best val loss %.4f | test loss %.4f acc %.3f auc %.4f", best, test["loss"], test["acc"], test["auc"])


if __name__ == "__main__":
    main()
