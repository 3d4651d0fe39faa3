import re
import unicodedata
from collections import Counter

PAD, UNK = 0, 1


def normalise(line):
    line = unicodedata.normalize("NFKD", line)
    line = "".join(c for c in line if not unicodedata.combining(c)).casefold()
    line = re.sub(r"\d+", "#", line)
    return re.sub(r"[^\w#]+", " ", line)


class Vocab:
    def __init__(self, lines, min_count=2):
        count = Counter(w for line in lines for w in line.split())
        self.words = ["<pad>", "<unk>"] + sorted(w for w, c in count.items() if c >= min_count)
        self.index = {w: i for i, w in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, line, length):
        ids = [self.index.get(w, UNK) for w in line.split()][:length]
        return ids + [PAD] * (length - len(ids))
