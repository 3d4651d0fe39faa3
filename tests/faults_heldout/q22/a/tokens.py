import json
import re

WORD = re.compile(r"[a-z']+")


class Tokenizer:
    unk = 0

    def __init__(self, path):
        self.index = json.loads(path.read_text())

    def __len__(self):
        return max(self.index.values()) + 1

    def __call__(self, text):
        return [self.index.get(w, self.unk) for w in WORD.findall(text.lower())]
