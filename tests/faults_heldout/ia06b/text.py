import torch


class CharCoder:
    PAD, OTHER = 0, 1

    def __init__(self, alphabet, max_chars):
        self.index = {ch: i + 2 for i, ch in enumerate(alphabet)}
        self.max_chars = max_chars

    def __len__(self):
        return len(self.index) + 2

    def __call__(self, text):
        ids = [self.index.get(ch, self.OTHER) for ch in text[: self.max_chars]]
        return ids + [self.PAD] * (self.max_chars - len(ids))


def read_titles(path, coder, classes=None):
    labels, ids = [], []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            cat, title = line.rstrip("\n").split("\t")
            labels.append(cat)
            ids.append(coder(title))
    classes = classes or sorted(set(labels))
    y = torch.tensor([classes.index(c) for c in labels])
    return torch.tensor(ids), y, classes
