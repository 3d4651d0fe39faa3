"""Fill the gaps of a CO2 station with a Gaussian process (type-II maximum likelihood)."""
import numpy as np
import torch

from gp import ExactGP, Periodic, Product, Rbf, Sum

torch.manual_seed(0)
data = np.loadtxt("station.csv", delimiter=",", skiprows=1)
rng = np.random.default_rng(1)
test = np.zeros(len(data), bool)
test[rng.choice(len(data), 60, replace=False)] = True

t0 = data[~test, 0].mean()
coef = np.polyfit(data[~test, 0] - t0, data[~test, 1], 1)
resid = data[:, 1] - np.polyval(coef, data[:, 0] - t0)
scale = resid[~test].std()
as_t = lambda v: torch.tensor(v, dtype=torch.float64)
x, y = as_t(data[~test, 0] - t0), as_t(resid[~test] / scale)
xs, ys = as_t(data[test, 0] - t0), as_t(resid[test] / scale)

kernel = Sum(Rbf(length=2.0, scale=1.0), Product(Rbf(length=10.0), Periodic(period=1.0)))
model = ExactGP(kernel)
opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5, history_size=10, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = model.neg_log_marginal(x, y)
    loss.backward()
    return loss


def report(tag):
    mean, var = model.predict(x, y, xs)
    rmse = ((mean - ys) ** 2).mean().sqrt() * scale
    nlpd = (0.5 * (ys - mean) ** 2 / var + 0.5 * (2 * np.pi * var).log()).mean()
    cover = ((ys - mean).abs() < 1.96 * var.sqrt()).double().mean()
    print(f"{tag}: held-out rmse {rmse:.3f} ppm  nlpd {nlpd:.3f}  95% coverage {cover:.2f}")


print("rmse of the linear trend: %.3f ppm" % (ys.pow(2).mean().sqrt() * scale))
report("start")
prev = None
for it in range(30):
    loss = opt.step(closure).item()
    if it % 2 == 0:
        print(f"iter {it:2d}  -log ml {loss:9.3f}")
    if prev is not None and abs(prev - loss) < 1e-4:
        print("converged after", it, "iterations:", round(loss, 3))
        break
    prev = loss
report("end")
for n, p in model.named_parameters():
    print(f"  {n:35s} {p.exp().item():.4f}")
