import numpy as np
import torch


class ClickLog:
    """Impressions with categorical fields; the last days are held out."""

    def __init__(self, path, holdout_days):
        z = np.load(path)
        self.cards = [int(c) for c in z["cards"]]
        offsets = np.concatenate([[0], np.cumsum(self.cards)[:-1]])
        ids = torch.from_numpy(z["fields"].astype(np.int64) + offsets)
        click = torch.from_numpy(z["click"].astype(np.float32))
        day = torch.from_numpy(z["day"].astype(np.int64))
        late = day > day.max() - holdout_days
        self.past = ids[~late], click[~late]
        self.future = ids[late], click[late]

    def stream(self, batch):
        ids, click = self.past
        for sel in torch.randperm(len(click)).split(batch):
            yield ids[sel], click[sel]
