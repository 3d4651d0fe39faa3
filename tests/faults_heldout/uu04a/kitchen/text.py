"""Reading the recipe snippets."""
import json
import pathlib

import torch


class Vocabulary:
    PAD, UNK = 0, 1

    def __init__(self, file: pathlib.Path):
        content = json.loads(file.read_text(encoding="utf-8"))
        self.index = {token: i for i, token in enumerate(content["tokens"])}
        self.classes = content["classes"]

    def __len__(self):
        return len(self.index)

    def encode(self, sentence: str):
        return [self.index.get(token, self.UNK) for token in sentence.split()]


def read_tsv(file: pathlib.Path, vocabulary: Vocabulary, limit: int):
    """Returns (tokens N x limit, labels N)."""
    ids, labels = [], []
    for line in file.read_text(encoding="utf-8").splitlines():
        cuisine, sentence = line.split("\t")
        row = vocabulary.encode(sentence)[:limit]
        ids.append(row + [vocabulary.PAD] * (limit - len(row)))
        labels.append(vocabulary.classes.index(cuisine))
    return torch.tensor(ids), torch.tensor(labels)
