"""Character-level guesser: which dialect does a place name come from?"""
import copy
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

random.seed(21)
torch.manual_seed(21)

DIALECTS = {
    "north": (["skar", "vik", "bo", "hal", "fjo", "st", "gar", "nes", "lun"], ["by", "vik", "sund", "a", "nes", "rp"]),
    "coast": (["pen", "tre", "pol", "lan", "bo", "gar", "st", "mor", "hal"], ["ick", "an", "a", "nes", "ow", "eth"]),
    "hills": (["ra", "do", "mor", "vla", "bo", "gar", "lun", "kra", "st"], ["ov", "ica", "a", "sund", "an", "grad"]),
    "river": (["cha", "bel", "mon", "lan", "ra", "do", "hal", "ver", "mor"], ["ville", "on", "ac", "an", "eth", "ick"]),
}
NAMES = list(DIALECTS)
CHARS = "abcdefghijklmnopqrstuvwxyz"


def make_name(dialect):
    syllables, endings = DIALECTS[dialect]
    word = "".join(random.choices(syllables, k=random.choice([1, 2, 2, 3]))) + random.choice(endings)
    if random.random() < 0.25:
        i = random.randrange(len(word))
        word = word[:i] + random.choice(CHARS) + word[i + 1:]
    return word


def build(n):
    labels = [random.randrange(len(NAMES)) for _ in range(n)]
    words = [make_name(NAMES[k]) for k in labels]
    ids = [torch.tensor([CHARS.index(c) + 1 for c in w]) for w in words]
    lengths = torch.tensor([len(i) for i in ids])
    return pad_sequence(ids, batch_first=True), lengths, torch.tensor(labels)


class Guesser(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(len(CHARS) + 1, 24, padding_idx=0)
        self.rnn = nn.GRU(24, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * hidden, len(NAMES)))

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.head(torch.cat([h[0], h[1]], dim=1))


class EarlyStopping:
    """Keeps the best weights and tells when the watched value no longer improves."""

    def __init__(self, patience=4, mode="min"):
        self.patience, self.mode = patience, mode
        self.best, self.bad_epochs, self.weights = None, 0, None

    def update(self, value, model):
        better = self.best is None or (value < self.best if self.mode == "min" else value > self.best)
        if better:
            self.best, self.bad_epochs = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def evaluate(model, data):
    x, lengths, y = data
    model.eval()
    with torch.no_grad():
        logits = model(x, lengths)
        return nn.functional.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    train, val, test = build(2400), build(500), build(500)
    x, lengths, y = train
    model = Guesser()
    opt = torch.optim.Adam(model.parameters(), lr=8e-4)
    stopper = EarlyStopping(patience=4)

    for epoch in range(1, 19):
        model.train()
        for idx in torch.randperm(len(y)).split(64):
            loss = nn.functional.cross_entropy(model(x[idx], lengths[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        val_loss, val_acc = evaluate(model, val)
        print(f"epoch {epoch:2d} | val loss {val_loss:.3f} | val acc {val_acc:.3f}")
        if stopper.update(val_acc, model):
            print("no further improvement, stopping")
            break

    model.load_state_dict(stopper.weights)
    test_loss, test_acc = evaluate(model, test)
    print(f"test loss {test_loss:.3f} | test acc {test_acc:.3f}")


if __name__ == "__main__":
    main()
