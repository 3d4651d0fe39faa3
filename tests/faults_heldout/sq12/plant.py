"""Cart with a pole, many copies at once."""
import torch

G, M_CART, M_POLE, HALF, DT, FORCE = 9.8, 1.0, 0.1, 0.5, 0.02, 10.0


def start(n, gen, spread):
    return (torch.rand(n, 4, generator=gen) * 2 - 1) * torch.tensor(spread)


def step(s, u):
    x, v, th, w = s.unbind(-1)
    f = FORCE * u
    total = M_CART + M_POLE
    tmp = (f + M_POLE * HALF * w ** 2 * th.sin()) / total
    acc_th = (G * th.sin() - th.cos() * tmp) / (HALF * (4 / 3 - M_POLE * th.cos() ** 2 / total))
    acc_x = tmp - M_POLE * HALF * acc_th * th.cos() / total
    return torch.stack([x + DT * v, v + DT * acc_x, th + DT * w, w + DT * acc_th], -1)


def fallen(s):
    return (s[..., 0].abs() > 2.4) | (s[..., 2].abs() > 0.6)
