import numpy as np
import torch
from torch.utils.data import TensorDataset, random_split


def load_reviews(path, val_share, seed):
    """Ids come straight from the tokenizer export, padded on the right to a fixed length."""
    f = np.load(path)
    ds = TensorDataset(torch.from_numpy(f["input_ids"].astype(np.int64)), torch.from_numpy(f["labels"].astype(np.int64)))
    n_val = int(len(ds) * val_share)
    return random_split(ds, [len(ds) - n_val, n_val], generator=torch.Generator().manual_seed(seed))
