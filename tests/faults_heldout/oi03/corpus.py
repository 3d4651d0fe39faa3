import torch
from torch.nn.utils.rnn import pad_sequence

IGNORE = -100


def read_conll(path):
    sents, cur = [], []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            line = line.rstrip("\n")
            if not line:
                if cur:
                    sents.append(cur)
                cur = []
            else:
                cur.append(tuple(line.split("\t")))
    if cur:
        sents.append(cur)
    return sents


class Vocab:
    def __init__(self, symbols, specials=()):
        self.itos = list(specials) + sorted(set(symbols) - set(specials))
        self.stoi = {s: i for i, s in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)


class SlotSet(torch.utils.data.Dataset):
    def __init__(self, sents, words, tags):
        unk = words.stoi["<unk>"]
        self.rows = [
            (torch.tensor([words.stoi.get(w, unk) for w, _ in s]), torch.tensor([tags.stoi[t] for _, t in s]))
            for s in sents
        ]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch):
    xs, ys = zip(*batch)
    lengths = torch.tensor([len(x) for x in xs])
    return pad_sequence(xs, batch_first=True), pad_sequence(ys, batch_first=True, padding_value=IGNORE), lengths
