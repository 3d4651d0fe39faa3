import torch
from torch.nn.utils.rnn import pad_sequence


class Collate:
    def __init__(self, words, tags):
        self.words, self.tags = words, tags

    def __call__(self, rows):
        xs = [torch.tensor([self.words[w] for w in ws]) for ws, _ in rows]
        ys = [torch.tensor([self.tags[t] for t in ts]) for _, ts in rows]
        lengths = torch.tensor([len(x) for x in xs])
        x = pad_sequence(xs, batch_first=True, padding_value=self.words["<pad>"])
        y = pad_sequence(ys, batch_first=True, padding_value=self.tags["<pad>"])
        return x, y, lengths
