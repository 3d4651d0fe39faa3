import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from encoder import FaultClassifier


def read_yaml(path):
    out = {}
    for line in open(path):
        key, _, value = line.partition(":")
        value = value.strip()
        try:
            value = float(value) if "." in value and value.replace(".", "").isdigit() else int(value)
        except ValueError:
            pass
        out[key.strip()] = value
    return out


def load_pretrained(model, path):
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(ckpt["state_dict"], strict=False)
    return ckpt["mean"], ckpt["std"]


def main():
    cfg = read_yaml("finetune.yaml")
    torch.manual_seed(6)
    z = np.load(cfg["data"])
    x = torch.from_numpy(z["spectrum"].astype("float32"))
    y = torch.from_numpy(z["fault"]).long()
    model = FaultClassifier(n_classes=int(y.max()) + 1)
    mean, std = load_pretrained(model, cfg["checkpoint"])
    x = (x - mean) / std
    n = cfg["train_size"]
    loader = DataLoader(TensorDataset(x[:n], y[:n]), batch_size=cfg["batch_size"], shuffle=True)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=1e-2)

    for epoch in range(cfg["epochs"]):
        model.train()
        seen = 0.0
        for xb, yb in loader:
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += loss.item() * len(xb)
        model.eval()
        with torch.no_grad():
            out = model(x[n:])
            vl = F.cross_entropy(out, y[n:]).item()
            acc = (out.argmax(1) == y[n:]).float().mean().item()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1} train {seen / n:.4f} val {vl:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
