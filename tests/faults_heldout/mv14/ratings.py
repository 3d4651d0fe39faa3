import torch


def visits(n, items=200, seed=0):
    """readers and the articles they opened: a few interests per reader, popular articles for all"""
    world = torch.Generator().manual_seed(44)
    topic = torch.randn(items, 8, generator=world)
    pop = torch.randn(items, generator=world) * 0.7
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(n, 8, generator=g) * 1.1
    p = (taste @ topic.t() + pop).softmax(1)
    k = torch.randint(15, 40, (n,), generator=g)
    x = torch.zeros(n, items)
    for i in range(n):
        x[i, torch.multinomial(p[i], int(k[i]), generator=g)] = 1
    return x


def fold_out(x, share=0.3, seed=7):
    """splits the clicks of each reader into given and wanted"""
    m = torch.rand(x.shape, generator=torch.Generator().manual_seed(seed)) < share
    return x * ~m, x * m


def recall_at(score, given, wanted, k=20):
    top = score.masked_fill(given > 0, -1e9).topk(k, 1).indices
    return (wanted.gather(1, top).sum(1) / wanted.sum(1).clamp(1, k)).mean().item()
