"""Gaussian-process fit of sea temperature at the mooring; hyper-parameters by marginal likelihood."""
import math

import numpy as np
import torch


class Kernel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_period = torch.nn.Parameter(torch.tensor(math.log(3.0)))
        self.log_len_p = torch.nn.Parameter(torch.tensor(0.0))
        self.log_len_s = torch.nn.Parameter(torch.tensor(math.log(2.0)))
        self.log_len_d = torch.nn.Parameter(torch.tensor(math.log(6.0)))
        self.log_amp = torch.nn.Parameter(torch.tensor([0.0, 0.0]))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def cov(self, a, b):
        d = (a[:, None] - b[None, :]).abs()
        periodic = torch.exp(-2 * torch.sin(math.pi * d / self.log_period.exp()) ** 2 / self.log_len_p.exp() ** 2)
        decay = torch.exp(-0.5 * (d / self.log_len_d.exp()) ** 2)
        smooth = torch.exp(-0.5 * (d / self.log_len_s.exp()) ** 2)
        amp = (2 * self.log_amp).exp()
        return amp[0] * periodic * decay + amp[1] * smooth

    def chol(self, x):
        noise = (2 * self.log_noise).exp() + 1e-6
        return torch.linalg.cholesky(self.cov(x, x) + noise * torch.eye(len(x), dtype=x.dtype))


def neg_log_evidence(kernel, x, y):
    L = kernel.chol(x)
    alpha = torch.cholesky_solve(y[:, None], L)[:, 0]
    return 0.5 * y @ alpha + L.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)


@torch.no_grad()
def predict(kernel, x, y, new):
    L = kernel.chol(x)
    ks = kernel.cov(x, new)
    mean = ks.T @ torch.cholesky_solve(y[:, None], L)[:, 0]
    v = torch.linalg.solve_triangular(L, ks, upper=False)
    var = kernel.cov(new, new).diagonal() - (v ** 2).sum(0) + (2 * kernel.log_noise).exp()
    return mean, var


def main():
    torch.manual_seed(1)
    day, temp = np.loadtxt("mooring.csv", delimiter=",", skiprows=1, unpack=True)
    x, t = torch.tensor(day), torch.tensor(temp)
    pick = torch.randperm(len(x))
    tr, te = pick[:130].sort().values, pick[130:].sort().values
    mu, sd = t[tr].mean(), t[tr].std()
    y = (t - mu) / sd

    kernel = Kernel().double()
    opt = torch.optim.LBFGS(kernel.parameters(), lr=0.5, max_iter=5, history_size=8, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        value = neg_log_evidence(kernel, x[tr], y[tr])
        value.backward()
        return value

    for it in range(30):
        value = opt.step(closure)
        if it % 5 == 4:
            m, var = predict(kernel, x[tr], y[tr], x[te])
            err = y[te] - m
            nlpd = (0.5 * err ** 2 / var + 0.5 * (2 * math.pi * var).log()).mean()
            print(f"{it + 1:3d}  -log p {value.item():9.3f}  held-out RMSE {sd * err.pow(2).mean().sqrt():.3f} C  nlpd {nlpd:.3f}")
    print({k: round(v.exp().tolist(), 3) if v.ndim == 0 else [round(q, 3) for q in v.exp().tolist()]
           for k, v in kernel.named_parameters()})


if __name__ == "__main__":
    main()
