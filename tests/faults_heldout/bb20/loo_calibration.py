"""Calibration of a two-channel photometer with 28 reference samples.

A linear model is what Beer-Lambert asks for; quality is judged by leave-one-out.
"""
import torch
from torch import nn

table = [line.split(",") for line in open("calibration.csv").read().split()[1:]]
table = torch.tensor([[float(v) for v in row] for row in table])
X, y = table[:, :3], table[:, 3:]


def fit(x, t, steps=150, lr=1.0, verbose=False):
    """Full-batch gradient descent on standardised columns; the Hessian of 0.5 * mse is
    the correlation matrix of the columns (eigenvalues below 2), so a unit step is stable."""
    x_mean, x_std, t_mean, t_std = x.mean(0), x.std(0), t.mean(0), t.std(0)
    z, target = (x - x_mean) / x_std, (t - t_mean) / t_std
    layer = nn.Linear(x.size(1), 1)
    sgd = torch.optim.SGD(layer.parameters(), lr=lr)
    for step in range(steps):
        loss = 0.5 * ((layer(z) - target) ** 2).mean()
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        if verbose and step in (0, 1, 2, 5, 10, 25, 50, 100, steps - 1):
            print(f"   step {step:2d}  loss {loss.item():.5f}")

    def predict(q):
        with torch.no_grad():
            return layer((q - x_mean) / x_std) * t_std + t_mean

    return predict


def main():
    print("correlation eigenvalues", [round(v, 3) for v in torch.linalg.eigvalsh(torch.corrcoef(X.T)).tolist()])
    torch.manual_seed(0)
    errors = []
    for i in range(len(X)):
        keep = torch.arange(len(X)) != i
        model = fit(X[keep], y[keep], verbose=i == 0)
        err = (model(X[i:i + 1]) - y[i:i + 1]).item()
        errors.append(err)
        print(f"left out {i + 1:2d}: reference {y[i].item():5.1f} mg/l, error {err:+.2f}")
    errors = torch.tensor(errors)
    r2 = 1 - (errors ** 2).sum() / ((y - y.mean()) ** 2).sum()
    print(f"leave-one-out: RMSE {errors.pow(2).mean().sqrt():.3f} mg/l, bias {errors.mean():+.3f}, Q2 {r2:.4f}")
    final = fit(X, y)
    print(f"final model on all samples: RMSE {(final(X) - y).pow(2).mean().sqrt():.3f} mg/l")


if __name__ == "__main__":
    main()
