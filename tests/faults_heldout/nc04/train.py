import json
from pathlib import Path

import torch

from tagger.data import load_corpus
from tagger.engine import build_optimizer, evaluate, train_epoch
from tagger.losses import build_loss
from tagger.model import BiLSTMTagger

ROOT = Path(__file__).resolve().parent


def main():
    cfg = json.loads((ROOT / "settings.json").read_text())
    tcfg = cfg["train"]
    torch.manual_seed(tcfg["seed"])
    words, tags, train_loader, val_loader = load_corpus(cfg["data"], ROOT, tcfg["batch_size"])
    model = BiLSTMTagger(len(words), len(tags), **cfg["model"])
    criterion = build_loss(cfg["loss"])
    optimizer = build_optimizer(model, tcfg)
    print(f"vocabulary {len(words)}, tags {len(tags)}, {len(train_loader.dataset)} sentences")
    for epoch in range(tcfg["epochs"]):
        loss = train_epoch(model, train_loader, criterion, optimizer, tcfg["max_grad_norm"])
        acc, f1 = evaluate(model, val_loader, len(tags))
        print(f"{epoch + 1:3d}  loss {loss:.4f}  val acc {acc:.4f}  macro f1 {f1:.4f}")


if __name__ == "__main__":
    main()
