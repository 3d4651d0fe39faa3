from pathlib import Path

import torch


class Names:
    """Place names with the region they come from, as padded character codes."""

    def __init__(self, rows, alphabet, regions):
        index = {c: i + 1 for i, c in enumerate(alphabet)}
        self.labels = torch.tensor([regions.index(region) for _, region in rows])
        self.lengths = torch.tensor([len(name) for name, _ in rows])
        self.tokens = torch.zeros(len(rows), int(self.lengths.max()), dtype=torch.long)
        for i, (name, _) in enumerate(rows):
            self.tokens[i, :len(name)] = torch.tensor([index[c] for c in name])

    def __len__(self):
        return len(self.labels)

    def take(self, pick):
        lengths = self.lengths[pick]
        return self.tokens[pick, :int(lengths.max())], lengths, self.labels[pick]


def load(folder: Path):
    splits = {}
    for split in ("train", "valid", "test"):
        lines = (folder / f"{split}.tsv").read_text(encoding="utf-8").splitlines()
        splits[split] = [tuple(line.split("\t")) for line in lines]
    regions = sorted({region for _, region in splits["train"]})
    alphabet = sorted({c for rows in splits.values() for name, _ in rows for c in name})
    return {k: Names(v, alphabet, regions) for k, v in splits.items()}, alphabet, regions
