from collections import Counter
from pathlib import Path

import pandas as pd
import torch
from torch.nn.utils.rnn import pad_sequence

HERE = Path(__file__).resolve().parent
TAGS = ["app", "billing", "cancel", "damage", "login", "praise", "shipping", "sizing"]
PAD, UNK, CLS = 0, 1, 2


def read_tickets():
    table = pd.read_csv(HERE / "tickets.csv", keep_default_na=False)
    dummies = table["tags"].str.get_dummies(sep="|").reindex(columns=TAGS, fill_value=0)
    return table["text"].tolist(), torch.tensor(dummies.to_numpy(), dtype=torch.float32)


def make_vocab(texts, min_count=2):
    counts = Counter(w for t in texts for w in t.split())
    words = sorted(w for w, n in counts.items() if n >= min_count)
    return {"[PAD]": PAD, "[UNK]": UNK, "[CLS]": CLS, **{w: i + 3 for i, w in enumerate(words)}}


class Tickets(torch.utils.data.Dataset):
    def __init__(self, texts, tags, vocab):
        self.ids = [torch.tensor([CLS] + [vocab.get(w, UNK) for w in t.split()]) for t in texts]
        self.tags = tags

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return self.ids[i], self.tags[i]


def collate(items):
    ids = pad_sequence([i for i, _ in items], batch_first=True, padding_value=PAD)
    return {"input_ids": ids, "attention_mask": ids.ne(PAD).long(), "tags": torch.stack([t for _, t in items])}
