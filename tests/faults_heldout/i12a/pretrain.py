"""Character model on the docs corpus."""
import json
import logging
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

from lm.model import CharMLP
from lm.optim import param_groups, warmup_cosine
from lm.text import Corpus

HERE = Path(__file__).resolve().parent
logger = logging.getLogger("pretrain")


@torch.no_grad()
def bits_per_char(model, corpus):
    model.eval()
    x, y = corpus.validation()
    loss = F.cross_entropy(model(x), y)
    model.train()
    return loss.item() / 0.6931


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s | %(message)s")
    cfg = json.loads((HERE / "run_config.json").read_text())
    torch.manual_seed(cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])

    corpus = Corpus((HERE / cfg["corpus"]).read_text(), cfg["context"], cfg["block"], cfg["val_stride"])
    model = CharMLP(len(corpus.alphabet), cfg["context"], cfg["emb"], cfg["hidden"], cfg["dropout"])
    opt = torch.optim.AdamW(param_groups(model, cfg["groups"]), betas=tuple(cfg["betas"]))
    sched = warmup_cosine(opt, cfg["warmup"], cfg["steps"], cfg["min_lr_fraction"])
    logger.info("%d characters, alphabet of %d", len(corpus.ids), len(corpus.alphabet))

    running = 0.0
    for step in range(1, cfg["steps"] + 1):
        x, y = corpus.batch(cfg["batch_size"], gen)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
        opt.step()
        sched.step()
        running += loss.item() / cfg["val_every"]
        if step % cfg["val_every"] == 0:
            logger.info("step %4d  train %.3f  val %.3f bits per char", step, running / 0.6931, bits_per_char(model, corpus))
            running = 0.0


if __name__ == "__main__":
    main()
