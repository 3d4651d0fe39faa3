import torch


def freeze(model, keys):
    """Switch off the gradient of every parameter whose name contains one of the keys."""
    n = 0
    for name, p in model.named_parameters():
        if any(k in name for k in keys):
            p.requires_grad_(False)
            n += p.numel()
    return n


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]


def commands(n, length, gen):
    """The class is the topic of the first word after the last occurrence of topic 0 (0 when there is none)."""
    ids = torch.randint(0, 60, (n, length), generator=gen)
    topic = ids % 4
    y = torch.zeros(n, dtype=torch.long)
    for i in range(n):
        where = (topic[i, :-1] == 0).nonzero()
        if len(where):
            y[i] = topic[i, where[-1, 0] + 1]
    return ids, y
