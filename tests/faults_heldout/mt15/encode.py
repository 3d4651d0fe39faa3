import torch
from torch.nn.utils.rnn import pad_sequence


class Batches:
    def __init__(self, rows, vocab, size, shuffle):
        self.ids = [torch.tensor([vocab.get(w, 1) for w in b]) for b, _ in rows]
        self.y = torch.tensor([q for _, q in rows])
        self.size, self.shuffle = size, shuffle

    def __len__(self):
        return -(-len(self.y) // self.size)

    def __iter__(self):
        order = torch.randperm(len(self.y)) if self.shuffle else torch.arange(len(self.y))
        for part in order.split(self.size):
            yield pad_sequence([self.ids[i] for i in part], batch_first=True), self.y[part]
