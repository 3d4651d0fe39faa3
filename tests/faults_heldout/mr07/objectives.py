import torch


def log_sigmoid(v):
    return torch.clamp(v, max=0) - torch.log1p(torch.exp(-v.abs()))


def critic_loss(real_score, fake_score):
    return -(log_sigmoid(real_score).mean() + log_sigmoid(-fake_score).mean())


def generator_loss(fake_score):
    return -log_sigmoid(fake_score).mean()


def gradient_penalty(score, x):
    (g,) = torch.autograd.grad(score.sum(), x, create_graph=True)
    return g.pow(2).sum(dim=1).mean()
