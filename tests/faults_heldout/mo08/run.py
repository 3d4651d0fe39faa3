from pathlib import Path

import torch
import torch.nn.functional as F

from graph import load_graph, split
from net import FieldNet

CONF = dict(dim=32, depth=14, dropout=0.3, lr=1e-3, weight_decay=5e-4, epochs=150, seed=9)


def main(c=CONF):
    torch.manual_seed(c["seed"])
    x, adj, y = load_graph(Path(__file__).with_name("coauthors.npz"))
    train, val, test = split(len(y), c["seed"])
    model = FieldNet(x.shape[1], c["dim"], int(y.max()) + 1, c["depth"], c["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=c["lr"], weight_decay=c["weight_decay"])
    for epoch in range(1, c["epochs"] + 1):
        model.train()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if epoch % 10 == 0 or epoch == 1:
            model.eval()
            with torch.no_grad():
                out = model(x, adj)
                vl = F.cross_entropy(out[val], y[val]).item()
                va = (out[val].argmax(1) == y[val]).float().mean().item()
            print(f"epoch {epoch:3d}  loss {loss.item():.4g}  val {vl:.4g}  val acc {va:.3f}")
    acc = (out[test].argmax(1) == y[test]).float().mean().item()
    print(f"test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
