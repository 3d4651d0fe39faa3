"""Train the intent classifier for the voice assistant front end."""
import argparse
import logging
import random
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

from intents.config import Config
from intents.data import UtteranceDataset, Vocab, collate, read_tsv
from intents.engine import Engine
from intents.model import IntentTagger

ROOT = Path(__file__).resolve().parent


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")

    cfg = Config.load(ROOT / args.config)
    random.seed(cfg.seed)
    np.random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)

    texts, tags = read_tsv(ROOT / cfg.train_file)
    vocab = Vocab(texts, cfg.min_count)
    tag_index = {t: i for i, t in enumerate(sorted(set(tags)))}
    train_set = UtteranceDataset(ROOT / cfg.train_file, vocab, tag_index, cfg.max_len)
    dev_set = UtteranceDataset(ROOT / cfg.dev_file, vocab, tag_index, cfg.max_len)
    logging.info("%d train / %d dev utterances, %d words, %d intents",
                 len(train_set), len(dev_set), len(vocab), len(tag_index))

    train_loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True, collate_fn=collate)
    dev_loader = DataLoader(dev_set, batch_size=256, collate_fn=collate)

    model = IntentTagger(len(vocab), len(tag_index), cfg.emb_dim, cfg.hidden, cfg.dropout)
    Engine(model, cfg, ROOT, len(train_loader), len(tag_index)).fit(train_loader, dev_loader)


if __name__ == "__main__":
    main()
