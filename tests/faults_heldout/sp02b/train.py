"""Tag the parts of recipe ingredient lines (quantity, unit, preparation, name, note)."""
import torch
from torch import nn
from torch.utils.data import DataLoader

from corpus import IGNORE, TAGS, Vocab, collate, encode_all, read_pairs
from tagger import Tagger

SEED = 17
EPOCHS = 15
BATCH = 16
LR = 2e-3


def evaluate(model, loader, criterion):
    model.eval()
    loss = hits = count = 0.0
    with torch.no_grad():
        for x, y in loader:
            scores = model(x)
            keep = y != IGNORE
            n = int(keep.sum())
            loss += criterion(scores.flatten(0, 1), y.flatten()).item() * n
            hits += int((scores.argmax(-1)[keep] == y[keep]).sum())
            count += n
    return loss / count, hits / count


def main():
    torch.manual_seed(SEED)
    train_pairs, dev_pairs = read_pairs("train"), read_pairs("dev")
    vocab = Vocab(train_pairs)
    train_loader = DataLoader(encode_all(train_pairs, vocab), batch_size=BATCH, shuffle=True, collate_fn=collate)
    dev_loader = DataLoader(encode_all(dev_pairs, vocab), batch_size=64, collate_fn=collate)
    print(f"{len(train_pairs)} train lines, {len(dev_pairs)} dev lines, {len(vocab)} words")

    model = Tagger(len(vocab), len(TAGS))
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)

    for epoch in range(EPOCHS):
        model.train()
        running, seen = 0.0, 0
        for x, y in train_loader:
            loss = criterion(model(x).flatten(0, 1), y.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            running += loss.item() * len(x)
            seen += len(x)
        dev_loss, dev_acc = evaluate(model, dev_loader, criterion)
        print(f"epoch {epoch + 1:2d}  train {running / seen:.4f}  dev loss {dev_loss:.4f}  dev token acc {dev_acc:.4f}")


if __name__ == "__main__":
    main()
