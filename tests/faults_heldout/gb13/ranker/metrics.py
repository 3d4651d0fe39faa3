import torch


def _ranked(model, train, held):
    u = torch.arange(len(train))
    scores = model.score_all(u)
    scores.scatter_(1, torch.from_numpy(train), float("-inf"))
    return scores, torch.from_numpy(held)


def auc(model, train, held):
    scores, held = _ranked(model, train, held)
    pos = scores.gather(1, held)
    other = scores.scatter(1, held, float("nan"))
    ok = torch.isfinite(other)
    wins = (pos.unsqueeze(-1) > other.nan_to_num(posinf=0, neginf=0).unsqueeze(1)) & ok.unsqueeze(1)
    return (wins.sum(-1).float() / ok.sum(-1, keepdim=True)).mean().item()


def hit_rate(model, train, held, k=10):
    scores, held = _ranked(model, train, held)
    top = scores.topk(k, dim=1).indices
    return (top.unsqueeze(-1) == held.unsqueeze(1)).any(-1).any(-1).float().mean().item()
