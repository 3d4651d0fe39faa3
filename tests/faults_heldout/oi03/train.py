import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader

from corpus import IGNORE, SlotSet, Vocab, collate, read_conll


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=32, hidden=40):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.drop(self.emb(x)), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(self.drop(h))


def run_dev(model, loader, loss_fn):
    model.eval()
    loss_sum, n_tok, correct, total = 0.0, 0, 0, 0
    with torch.no_grad():
        for x, y, lengths in loader:
            logits = model(x, lengths)
            k = int(lengths.sum())
            loss_sum += loss_fn(logits.flatten(0, 1), y.flatten()).item() * k
            n_tok += k
            correct += (logits.argmax(-1) == y).sum().item()
            total += y.numel()
    model.train()
    return loss_sum / n_tok, correct / total


def main():
    torch.manual_seed(21)
    train_sents = read_conll("data/train.conll")
    dev_sents = read_conll("data/dev.conll")
    words = Vocab((w for s in train_sents for w, _ in s), specials=("<pad>", "<unk>"))
    tags = Vocab(t for s in train_sents for _, t in s)
    train_dl = DataLoader(SlotSet(train_sents, words, tags), 32, shuffle=True, collate_fn=collate)
    dev_dl = DataLoader(SlotSet(dev_sents, words, tags), 64, collate_fn=collate)

    model = Tagger(len(words), len(tags))
    loss_fn = nn.CrossEntropyLoss(ignore_index=IGNORE)
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(5):
        running = 0.0
        for x, y, lengths in train_dl:
            optim.zero_grad()
            loss = loss_fn(model(x, lengths).flatten(0, 1), y.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optim.step()
            running += loss.item()
        dev_loss, dev_acc = run_dev(model, dev_dl, loss_fn)
        print(f"[{epoch}] train loss {running / len(train_dl):.4f} | dev loss {dev_loss:.4f} | dev token accuracy {dev_acc:.4f}")


if __name__ == "__main__":
    main()
