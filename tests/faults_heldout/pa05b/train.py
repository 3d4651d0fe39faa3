import json
from pathlib import Path

import torch
from torch import nn

from tagger.data import IGNORE, batches, load_split
from tagger.metrics import TagScore
from tagger.model import BiGRUTagger

ROOT = Path(__file__).resolve().parent
EPOCHS, BATCH, LR = 8, 32, 0.1


def main():
    torch.manual_seed(5)
    torch.set_num_threads(1)
    spec = json.loads((ROOT / "corpus" / "spec.json").read_text())
    train = load_split(ROOT / "corpus" / "train.npz")
    val = load_split(ROOT / "corpus" / "val.npz")

    model = BiGRUTagger(spec["vocab_size"], len(spec["tags"]))
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)
    optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9, nesterov=True)
    gen = torch.Generator().manual_seed(5)
    history = []

    for epoch in range(1, EPOCHS + 1):
        model.train()
        losses = []
        for tokens, tags in batches(train, BATCH, gen):
            logits = model(tokens)
            loss = criterion(logits.flatten(0, 1), tags.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            losses.append(loss.item())

        model.eval()
        score = TagScore()
        vloss = []
        with torch.no_grad():
            for tokens, tags in batches(val, 128):
                logits = model(tokens)
                vloss.append(criterion(logits.flatten(0, 1), tags.flatten()).item())
                score.update(logits.argmax(-1), tags)
        row = dict(epoch=epoch, loss=sum(losses) / len(losses), val_loss=sum(vloss) / len(vloss),
                   token_acc=score.accuracy, entity_f1=score.f1)
        history.append(row)
        print("  ".join(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v:2d}" for k, v in row.items()))

    best = max(history, key=lambda r: r["entity_f1"])
    print(f"best entity F1 {best['entity_f1']:.4f} at epoch {best['epoch']}")


if __name__ == "__main__":
    main()
