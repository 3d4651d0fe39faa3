import random
from pathlib import Path

import numpy as np
import torch

from tagger import SpanTagger
from tagger.data import Corpus
from tagger.loop import evaluate, train_epoch

CONFIG = {
    "seed": 8,
    "epochs": 14,
    "batch_size": 32,
    "optimizer": {"lr": 0.3, "momentum": 0.9, "weight_decay": 1e-5},
}


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def main(cfg):
    seed_everything(cfg["seed"])
    torch.set_num_threads(1)
    corpus = Corpus(Path(__file__).parent / "corpus")
    train_dl = corpus.loader("train", cfg["batch_size"], shuffle=True)
    dev_dl = corpus.loader("dev", 128)

    model = SpanTagger(corpus.vocab_size, len(corpus.tags), corpus.pad_id)
    opt = torch.optim.SGD(model.parameters(), **cfg["optimizer"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=cfg["epochs"])
    for epoch in range(cfg["epochs"]):
        loss = train_epoch(model, train_dl, opt)
        sched.step()
        acc, f1 = evaluate(model, dev_dl, len(corpus.tags))
        print({"epoch": epoch + 1, "loss": round(loss, 4), "dev_acc": round(acc, 4), "dev_entity_f1": round(f1, 4)})


if __name__ == "__main__":
    main(CONFIG)
