import tomllib
from pathlib import Path

import torch

from charlm.data import CharCorpus
from charlm.model import build_model
from charlm.train import Trainer

ROOT = Path(__file__).resolve().parent


def main():
    cfg = tomllib.loads((ROOT / "settings.toml").read_text())
    torch.manual_seed(cfg["seed"])
    corpus = CharCorpus(ROOT / cfg["corpus"], cfg["context"])
    model = build_model(len(corpus.chars), cfg["context"], cfg["model"])
    print(f"{len(corpus.train)} training characters, vocabulary {len(corpus.chars)}, "
          f"{sum(p.numel() for p in model.parameters())} parameters")
    trainer = Trainer(model, corpus, cfg["loop"], cfg["optim"], cfg["seed"])
    trainer.run()
    print(trainer.generate(160))


if __name__ == "__main__":
    main()
