import lightning as L
import torch
from torch import nn
from torch.nn import functional as F


class Tower(nn.Module):
    def __init__(self, n, n_attr, dim):
        super().__init__()
        self.ident = nn.Embedding(n, dim)
        nn.init.normal_(self.ident.weight, std=0.05)
        self.mlp = nn.Sequential(nn.Linear(n_attr, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, idx, attr):
        return self.ident(idx) + self.mlp(attr[idx])


class TwoTower(L.LightningModule):
    def __init__(self, user_attr, item_attr, seen, known, dim=12, lr=2e-3, weight_decay=1e-4):
        super().__init__()
        self.lr, self.weight_decay = lr, weight_decay
        self.register_buffer("user_attr", user_attr)
        self.register_buffer("item_attr", item_attr)
        self.register_buffer("seen", seen)        # users x items, listens of the training part
        self.register_buffer("known", known)      # users x items, all listens (for ranking only)
        self.users = Tower(*user_attr.shape, dim)
        self.items = Tower(*item_attr.shape, dim)
        self.popularity = nn.Parameter(torch.zeros(len(item_attr)))
        self.drop = nn.Dropout(0.2)

    def score(self, u, i):
        a = self.drop(self.users(u, self.user_attr))
        b = self.drop(self.items(i, self.item_attr))
        return (a * b).sum(-1) + self.popularity[i]

    def training_step(self, batch, _):
        u, i = batch
        j = torch.randint(len(self.item_attr), i.shape)
        keep = ~self.seen[u, j]
        loss = -F.logsigmoid(self.score(u, i) - self.score(u, j))[keep].mean()
        self.log("train_loss", loss, on_step=False, on_epoch=True)
        return loss

    def _auc(self, batch):
        u, i = batch
        items = torch.arange(len(self.item_attr))
        grid = self.score(u[:, None].expand(-1, len(items)), items[None].expand(len(u), -1))
        own = grid.gather(1, i[:, None])
        other = ~self.known[u]
        return (((own > grid) & other).sum(1) / other.sum(1)).mean()

    def validation_step(self, batch, _):
        self.log("val_auc", self._auc(batch), batch_size=len(batch[0]), prog_bar=True)

    def test_step(self, batch, _):
        self.log("test_auc", self._auc(batch), batch_size=len(batch[0]))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr, weight_decay=self.weight_decay)
