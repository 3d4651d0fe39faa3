import torch


def gradient_penalty(critic, real, fake, gen):
    mix = torch.rand(len(real), 1, generator=gen)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()
