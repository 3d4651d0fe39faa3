import torch


def ranks(scores, booked):
    mine = scores.gather(1, booked[:, None])
    return (scores > mine).sum(1) + 1


def ndcg(scores, booked):
    return (1.0 / torch.log2(ranks(scores, booked).float() + 1)).mean().item()


def top1(scores, booked):
    return (scores.argmax(1) == booked).float().mean().item()
