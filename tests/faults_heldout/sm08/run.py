from pathlib import Path

import torch
import yaml
from torch.utils.data import DataLoader, random_split

from tagger.corpus import Vocabulary, collate, read
from tagger.engine import Engine
from tagger.model import Tagger

here = Path(__file__).parent
cfg = yaml.safe_load((here / "config.yaml").read_text())
torch.manual_seed(cfg["seed"])

sentences = read(here / cfg["corpus"])
n_valid = int(cfg["valid_share"] * len(sentences))
train, valid = random_split(sentences, [len(sentences) - n_valid, n_valid], generator=torch.Generator().manual_seed(0))
vocab = Vocabulary(list(train))
train_loader = DataLoader([vocab.encode(s) for s in train], cfg["batch_size"], shuffle=True, collate_fn=collate)
valid_loader = DataLoader([vocab.encode(s) for s in valid], 128, collate_fn=collate)

model = Tagger(len(vocab.word), len(vocab.tag), cfg["embed"], cfg["hidden"])
engine = Engine(model, **cfg["optimizer"])
print(len(train), "sentences,", len(vocab.word), "words, tags:", " ".join(vocab.tag))
for epoch in range(cfg["epochs"]):
    train_loss = engine.train_epoch(train_loader)
    valid_loss, f1 = engine.evaluate(valid_loader, vocab.tag["O"])
    print(f"epoch {epoch + 1}  train {train_loss:.4f}  valid {valid_loss:.4f}  F1 {f1:.4f}")
