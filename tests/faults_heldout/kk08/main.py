import torch
import torch.nn.functional as F

from gcn import GCN
from graphs import community_graph, normalize
from optim import build_optimizer

torch.manual_seed(4)
x, adj, y, split = community_graph(seed=12)
a = normalize(adj)
print(f"{len(x)} nodes, {int(adj.sum()) // 2} edges, {len(split['train'])} labelled")

model = GCN(x.shape[1], 48, int(y.max()) + 1, layers=4)
optimizer = build_optimizer(model.parameters(), lr=0.03)


def evaluate():
    model.eval()
    with torch.no_grad():
        pred = model(x, a).argmax(1)
    return {k: (pred[i] == y[i]).float().mean().item() for k, i in split.items()}


best = {"val": 0.0}
for step in range(1, 501):
    model.train()
    optimizer.zero_grad()
    idx = split["train"]
    loss = F.cross_entropy(model(x, a)[idx], y[idx])
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        acc = evaluate()
        if acc["val"] > best["val"]:
            best = {**acc, "step": step}
        print(f"step {step:4d} loss {loss.item():.4f} " + " ".join(f"{k} {v:.3f}" for k, v in acc.items()))
print("best:", best)
