import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader

import corpus
from tagger import BiGruTagger


def entity_f1(model, loader):
    model.eval()
    tp = fp = fn = 0
    with torch.no_grad():
        for words, tags, lengths in loader:
            pred = model(words, lengths).argmax(-1)
            real = torch.arange(words.shape[1])[None] < lengths[:, None]
            pred, tags = pred[real], tags[real]
            tp += ((pred == tags) & (tags > 0)).sum().item()
            fp += ((pred != tags) & (pred > 0)).sum().item()
            fn += ((pred != tags) & (tags > 0)).sum().item()
    return 2 * tp / max(2 * tp + fp + fn, 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--batch", type=int, default=32)
    a = p.parse_args()
    torch.manual_seed(0)
    sents = corpus.read("messages.conll")
    train, dev = sents[:1200], sents[1200:]
    vocab = corpus.vocabulary(train)
    dl = DataLoader(corpus.encode(train, vocab), batch_size=a.batch, shuffle=True, collate_fn=corpus.collate)
    dv = DataLoader(corpus.encode(dev, vocab), batch_size=60, collate_fn=corpus.collate)

    model = BiGruTagger(len(vocab), len(corpus.TAGS))
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(a.epochs):
        model.train()
        running = 0.0
        for words, tags, lengths in dl:
            opt.zero_grad()
            logits = model(words, lengths)
            loss = criterion(logits.flatten(0, 1), tags.flatten())
            loss.backward()
            opt.step()
            running += loss.item()
        print(f"epoch {epoch + 1}: loss {running / len(dl):.4f}, dev entity F1 {entity_f1(model, dv):.3f}")


if __name__ == "__main__":
    main()
