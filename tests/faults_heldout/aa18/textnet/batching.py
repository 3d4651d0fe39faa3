import torch
from torch.nn.utils.rnn import pad_sequence


def collate(ids, pad_id):
    return pad_sequence([torch.tensor(i) for i in ids], batch_first=True, padding_value=pad_id)


def bucket_batches(lengths, size):
    """Batches of documents of similar length, in random order (saves a lot of computation)."""
    noise = torch.rand(len(lengths)) * 2
    order = torch.argsort(torch.tensor(lengths) + noise)
    batches = list(order.split(size))
    return [batches[k].tolist() for k in torch.randperm(len(batches))]


def plain_batches(n, size):
    return [list(range(s, min(n, s + size))) for s in range(0, n, size)]
