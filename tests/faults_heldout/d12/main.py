import pathlib
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from tagger.batching import Collate
from tagger.corpus import AMBIG, CUES, FILL, TAGS, lines
from tagger.model import Tagger
from tagger.report import predict, span_scores
from tagger.vocab import Vocab

conf = tomllib.loads(pathlib.Path(__file__).with_name("settings.toml").read_text())
run = conf["run"]
torch.manual_seed(run["seed"])

words = Vocab(FILL + AMBIG + sum(CUES.values(), []), specials=["<pad>"])
tags = Vocab(TAGS, specials=["<pad>"])
collate = Collate(words, tags)
train = DataLoader(lines(run["lines"], 1), batch_size=run["batch"], shuffle=True, collate_fn=collate)
held = DataLoader(lines(400, 2), batch_size=100, collate_fn=collate)

model = Tagger(len(words), len(tags))
criterion = nn.CrossEntropyLoss(**conf["loss"])
optimizer = torch.optim.SGD(model.parameters(), lr=run["lr"], momentum=0.8)


def score():
    """Share of right tags on entity words (everything but O)."""
    model.eval()
    right = total = 0
    with torch.no_grad():
        for x, y, n in held:
            entity = (y != tags["<pad>"]) & (y != tags["O"])
            right += (model(x, n).argmax(-1) == y)[entity].sum().item()
            total += entity.sum().item()
    model.train()
    return right / total


for epoch in range(1, run["epochs"] + 1):
    losses = []
    for x, y, n in train:
        logits = model(x, n)
        loss = criterion(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"{epoch=} loss={sum(losses) / len(losses):.4f} entity_accuracy={score():.4f}")

for tag, (prec, rec, f1) in span_scores(predict(model, held, tags)).items():
    print(f"{tag:6s} precision={prec:.3f} recall={rec:.3f} f1={f1:.3f}")
