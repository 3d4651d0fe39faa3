import torch


class GaussianDiffusion:
    def __init__(self, steps, beta_min, beta_max):
        self.steps = steps
        self.betas = torch.linspace(beta_min, beta_max, steps)
        self.alphas = 1.0 - self.betas
        self.abar = torch.cumprod(self.alphas, 0)

    def loss(self, model, x0):
        t = torch.randint(self.steps, (len(x0),))
        eps = torch.randn_like(x0)
        a = self.abar[t].unsqueeze(1)
        xt = a.sqrt() * x0 + (1 - a).sqrt() * eps
        return (model(xt, t) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, model, n, dim=2):
        x = torch.randn(n, dim)
        for i in reversed(range(self.steps)):
            t = torch.full((n,), i)
            eps = model(x, t)
            x = (x - self.betas[i] / (1 - self.abar[i]).sqrt() * eps) / self.alphas[i].sqrt()
            if i > 0:
                x = x + self.betas[i].sqrt() * torch.randn_like(x)
        return x
