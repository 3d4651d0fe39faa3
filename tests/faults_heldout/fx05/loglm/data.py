from pathlib import Path

import torch
from torch.utils.data import Dataset

PAD, BOS, EOS = 0, 1, 2


class CharTable:
    def __init__(self, text):
        self.chars = sorted(set(text) - {"\n"})
        self.index = {c: i + 3 for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars) + 3

    def encode(self, line):
        return [BOS] + [self.index[c] for c in line if c in self.index] + [EOS]

    def decode(self, ids):
        return "".join(self.chars[i - 3] for i in ids if i > 2)


class LogLines(Dataset):
    def __init__(self, path, table, max_len):
        self.rows = [table.encode(ln)[:max_len] for ln in Path(path).read_text().splitlines()]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    """Pad a batch; the loss skips positions labelled -100."""
    width = max(map(len, rows))
    ids = torch.full((len(rows), width), PAD)
    for r, row in enumerate(rows):
        ids[r, : len(row)] = torch.tensor(row)
    mask = (ids != PAD).long()
    labels = torch.full_like(ids, -100)
    labels[:, :-1] = ids[:, 1:].masked_fill(mask[:, 1:] == 0, -100)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}
