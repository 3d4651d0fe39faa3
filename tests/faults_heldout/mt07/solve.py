import torch


def rmse(model, data):
    with torch.no_grad():
        return (model(data[0], data[1]) - data[2]).square().mean().sqrt().item()


def sweep(model, data, opt, ridge, batch=512):
    perm = torch.randperm(len(data[2]))
    total = 0.0
    for k in range(0, len(perm), batch):
        idx = perm[k:k + batch]
        u, f, r = data[0][idx], data[1][idx], data[2][idx]
        err = (model(u, f) - r).square()
        loss = (err + ridge * model.penalty(u, f)).mean()
        model.zero_grad()
        loss.backward()
        opt.step()
        total += err.sum().item()
    return (total / len(perm)) ** 0.5


def fit(model, train, held, o):
    sides = {
        "users": torch.optim.Adam(model.user.parameters(), lr=o.lr),
        "films": torch.optim.Adam(model.film.parameters(), lr=o.lr),
    }
    decay = {k: torch.optim.lr_scheduler.ExponentialLR(s, 0.92) for k, s in sides.items()}
    print(f"mean rating only: held-out rmse {(held[2] - train[2].mean()).square().mean().sqrt():.4f}")
    for r in range(o.rounds):
        name = "users" if r % 2 == 0 else "films"
        for _ in range(3):
            tr = sweep(model, train, sides[name], o.ridge)
        decay[name].step()
        print(f"round {r + 1:2d} ({name})  train rmse {tr:.4f}  held-out rmse {rmse(model, held):.4f}")
