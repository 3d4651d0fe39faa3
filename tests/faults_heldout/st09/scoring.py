import torch


def discounts(k):
    return 1.0 / torch.log2(torch.arange(2, k + 2, dtype=torch.float32))


def dcg(grades):
    return ((2.0 ** grades - 1) * discounts(grades.shape[-1])).sum(-1)


def ndcg(scores, grades, k=10):
    order = scores.argsort(dim=-1, descending=True)[:, :k]
    found = grades.gather(1, order)
    best = found.sort(dim=-1, descending=True).values
    top = dcg(best)
    ok = top > 0
    return (dcg(found)[ok] / top[ok]).mean().item()


def listwise(scores, grades):
    goal = torch.softmax(grades, dim=-1)
    return -(goal * torch.log_softmax(scores, dim=-1)).sum(-1).mean()
