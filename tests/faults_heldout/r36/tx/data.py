import torch


def sort_batch(n, length, vocab, gen):
    """Sequence-to-sequence toy: output the input tokens in ascending order."""
    x = torch.randint(vocab, (n, length), generator=gen)
    return x, x.sort(1).values
