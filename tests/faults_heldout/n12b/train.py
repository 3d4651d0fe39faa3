# wood species from NIR spectra: embedding + nearest neighbour in the reference collection
import numpy as np
import torch

from embed import SpectrumEncoder, supcon

torch.manual_seed(4)


def load(path):
    z = np.load(path)
    s = torch.from_numpy(z["spectra"].astype(np.float32))
    # standard normal variate, the usual scatter correction
    s = (s - s.mean(1, keepdim=True)) / s.std(1, keepdim=True)
    return s, torch.from_numpy(z["species"]).long()


ref_x, ref_y = load("reference.npz")
qry_x, qry_y = load("query.npz")
print("reference", tuple(ref_x.shape), "query", tuple(qry_x.shape), "species", int(ref_y.max()) + 1)

enc = SpectrumEncoder()
enc(ref_x[:2])
opt = torch.optim.AdamW(enc.parameters(), lr=1e-3, weight_decay=1e-3)


def recall_at(k):
    enc.eval()
    with torch.no_grad():
        sim = enc(qry_x) @ enc(ref_x).T
    near = ref_y[sim.topk(k, dim=1).indices]
    return (near == qry_y[:, None]).any(1).float().mean().item()


print(f"untrained R@1 {recall_at(1):.3f}")
for epoch in range(12):
    enc.train()
    losses = []
    for b in torch.randperm(len(ref_x)).split(96):
        loss = supcon(enc(ref_x[b]), ref_y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.3f} R@1 {recall_at(1):.3f} R@3 {recall_at(3):.3f}")
