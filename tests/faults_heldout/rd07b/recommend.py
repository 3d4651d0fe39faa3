import numpy as np
import torch


class Listens:
    """Minutes listened per (user, track) pair, split at random into train and held-out pairs."""

    def __init__(self, path, holdout=0.15, seed=0):
        with np.load(path) as z:
            pairs = np.stack([z["user"], z["track"]], axis=1).astype(np.int64)
            minutes = z["minutes"].astype(np.float32)
        self.pairs = torch.from_numpy(pairs)
        self.signal = torch.from_numpy(np.log1p(minutes))
        self.n_users, self.n_tracks = (self.pairs.max(0).values + 1).tolist()
        order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(seed))
        cut = int(len(pairs) * holdout)
        self.held, self.train = order[:cut], order[cut:]
        self.centre = self.signal[self.train].mean()

    def batches(self, size):
        for idx in self.train[torch.randperm(len(self.train))].split(size):
            yield self.pairs[idx], self.signal[idx] - self.centre

    def heldout(self):
        return self.pairs[self.held], self.signal[self.held] - self.centre


class BiasedMF(torch.nn.Module):
    def __init__(self, n_users, n_tracks, rank):
        super().__init__()
        self.user = torch.nn.Embedding(n_users, rank)
        self.track = torch.nn.Embedding(n_tracks, rank)
        self.user_bias = torch.nn.Embedding(n_users, 1)
        self.track_bias = torch.nn.Embedding(n_tracks, 1)
        for table, std in ((self.user, 0.1), (self.track, 0.1), (self.user_bias, 0.01), (self.track_bias, 0.01)):
            torch.nn.init.normal_(table.weight, std=std)

    def forward(self, pairs):
        u, t = pairs.unbind(1)
        taste = (self.user(u) * self.track(t)).sum(1)
        return taste + self.user_bias(u).squeeze(1) + self.track_bias(t).squeeze(1)

    def penalty(self, pairs):
        u, t = pairs.unbind(1)
        return self.user(u).pow(2).sum(1).mean() + self.track(t).pow(2).sum(1).mean()


def main(rank=4, lam=0.02, lr=4e-3, batch=64, epochs=16):
    torch.manual_seed(14)
    data = Listens("listens.npz")
    model = BiasedMF(data.n_users, data.n_tracks, rank)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[9, 13], gamma=0.3)
    pairs, signal = data.heldout()
    print(f"{data.n_users} users, {data.n_tracks} tracks, held-out variance {signal.var():.3f}")
    for epoch in range(epochs):
        model.train()
        sq, n = 0.0, 0
        for p, s in data.batches(batch):
            mse = (model(p) - s).pow(2).mean()
            opt.zero_grad()
            (mse + lam * model.penalty(p)).backward()
            opt.step()
            sq, n = sq + mse.item() * len(s), n + len(s)
        sched.step()
        model.eval()
        with torch.no_grad():
            rmse = (model(pairs) - signal).pow(2).mean().sqrt().item()
        print(f"epoch {epoch:2d}: train rmse {(sq / n) ** 0.5:.4f}, held-out rmse {rmse:.4f}")


if __name__ == "__main__":
    main()
