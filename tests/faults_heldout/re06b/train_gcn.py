import numpy as np
import torch
import torch.nn.functional as F

from gcn import GCN, normalised_edges
from settings import read_env


def accuracy(logits, y, mask):
    return (logits[mask].argmax(-1) == y[mask]).float().mean().item()


if __name__ == "__main__":
    env = read_env()
    torch.manual_seed(env["SEED"])

    g = np.load(env["GRAPH"])
    edges = torch.from_numpy(g["edges"].astype("int64"))
    x = torch.from_numpy(g["attr"].astype("float32"))
    y = torch.from_numpy(g["topic"].astype("int64"))
    n = len(y)
    part = torch.randperm(n)
    is_train = torch.zeros(n, dtype=torch.bool)
    is_train[part[: n // 2]] = True

    model = GCN(normalised_edges(edges, n), x.shape[1], env["HIDDEN"], int(y.max()) + 1, env["DROPOUT"])
    model.to(getattr(torch, env["PARAM_DTYPE"]))
    x = x.to(model.lin1.weight.dtype)
    opt = torch.optim.SGD(model.parameters(), lr=env["LR"], momentum=env["MOMENTUM"])
    compute = getattr(torch, env["COMPUTE_DTYPE"])

    for epoch in range(1, env["EPOCHS"] + 1):
        model.train()
        with torch.autocast("cpu", dtype=compute, enabled=compute != torch.float32):
            logits = model(x)
        loss = F.cross_entropy(logits[is_train].float(), y[is_train])
        opt.zero_grad()
        loss.backward()
        opt.step()

        if epoch % 200 == 0:
            model.eval()
            with torch.no_grad():
                out = model(x).float()
            print(
                f"epoch {epoch}  loss {loss.item():.4f}  "
                f"test loss {F.cross_entropy(out[~is_train], y[~is_train]).item():.4f}  "
                f"test acc {accuracy(out, y, ~is_train):.3f}"
            )
