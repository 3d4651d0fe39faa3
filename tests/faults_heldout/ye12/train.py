import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader

import settings as S
from logdata import build_vocab, make_collate, read


class LineClassifier(nn.Module):
    def __init__(self, vocab, classes):
        super().__init__()
        self.embed = nn.Embedding(vocab, S.EMBED, padding_idx=0)
        self.rnn = nn.GRU(S.EMBED, S.HIDDEN, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(2 * S.HIDDEN, classes)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True)
        _, h = self.rnn(packed)
        return self.fc(self.drop(torch.cat([h[0], h[1]], dim=1)))


def evaluate(model, loader):
    model.eval()
    loss = right = n = 0
    per_class = torch.zeros(len(S.LABELS), 2)
    with torch.no_grad():
        for ids, lengths, y in loader:
            out = model(ids, lengths)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            hit = out.argmax(1) == y
            right += hit.sum().item()
            n += len(y)
            per_class[:, 0] += torch.bincount(y[hit], minlength=len(S.LABELS))
            per_class[:, 1] += torch.bincount(y, minlength=len(S.LABELS))
    worst = (per_class[:, 0] / per_class[:, 1]).min().item()
    return loss / n, right / n, worst


def main():
    torch.manual_seed(S.SEED)
    train, valid = read(S.LOG_DIR / "train.jsonl"), read(S.LOG_DIR / "valid.jsonl")
    vocab = build_vocab(train)
    collate = make_collate(vocab)
    train_dl = DataLoader(train, S.BATCH, shuffle=True, collate_fn=collate)
    valid_dl = DataLoader(valid, 128, collate_fn=collate)

    freq = torch.bincount(torch.tensor([y for _, y in train]), minlength=len(S.LABELS)).float()
    weight = (freq.sum() / (len(freq) * freq)).sqrt()
    criterion = nn.CrossEntropyLoss(weight=weight)
    model = LineClassifier(len(vocab), len(S.LABELS))
    opt = torch.optim.Adam(model.parameters(), lr=S.LR)
    sys.stdout.write(f"vocab {len(vocab)}, class counts {freq.int().tolist()}\n")

    for epoch in range(S.EPOCHS):
        model.train()
        total = 0.0
        for ids, lengths, y in train_dl:
            opt.zero_grad()
            loss = criterion(model(ids, lengths), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
        vl, va, worst = evaluate(model, valid_dl)
        sys.stdout.write(
            f"epoch {epoch} train {total / len(train_dl):.4f} valid {vl:.4f} acc {va:.4f} worst class {worst:.3f}\n"
        )


if __name__ == "__main__":
    main()
