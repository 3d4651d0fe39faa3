import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from corpus import TAGS, Vocab, build
from tagger import BiLSTMTagger

SEED = 8
IGNORE = -100


def collate(batch):
    lengths = torch.tensor([len(t) for t, _ in batch])
    tok = pad_sequence([torch.tensor(t) for t, _ in batch], batch_first=True, padding_value=Vocab.PAD)
    tag = pad_sequence([torch.tensor(y) for _, y in batch], batch_first=True, padding_value=IGNORE)
    return tok, tag, lengths


@torch.no_grad()
def score(model, loader):
    model.eval()
    tp = fp = fn = 0
    for tok, tag, lengths in loader:
        pred = model(tok, lengths).argmax(-1)
        keep = tag != IGNORE
        p, t = pred[keep], tag[keep]
        tp += ((p == t) & (t != 0)).sum().item()
        fp += ((p != t) & (p != 0)).sum().item()
        fn += ((p != t) & (t != 0)).sum().item()
    return 2 * tp / max(2 * tp + fp + fn, 1)


def main():
    torch.manual_seed(SEED)
    train_s = build(700, SEED)
    dev_s = build(250, SEED + 77, exclude=train_s)
    vocab = Vocab(train_s)
    train = DataLoader([vocab.encode(*s) for s in train_s], 32, shuffle=True, collate_fn=collate)
    dev = DataLoader([vocab.encode(*s) for s in dev_s], 64, collate_fn=collate)
    model = BiLSTMTagger(len(vocab), len(TAGS))
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(1, 9):
        model.train()
        total, steps = 0.0, 0
        for tok, tag, lengths in train:
            optimizer.zero_grad()
            logits = model(tok, lengths)
            loss = criterion(logits.reshape(-1, logits.size(-1)), tag.reshape(-1))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += loss.item()
            steps += 1
        print(f"epoch {epoch}: train loss {total / steps:.4f}, dev F1 {score(model, dev):.4f}")


if __name__ == "__main__":
    main()
