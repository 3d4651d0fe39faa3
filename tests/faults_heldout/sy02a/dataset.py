import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset


class MeterDigits(Dataset):
    """Digit crops of meter photos. The index lists one crop per line: the row in the image
    archive, the scan it was cut from, its split and the digit that was read."""

    def __init__(self, images_path, index_path, split, max_value):
        index = pd.read_csv(index_path)
        index = index[index["split"] == split]
        images = np.load(images_path)["images"]
        self.rows = index["row"].to_numpy()
        self.labels = torch.as_tensor(index["digit"].to_numpy(), dtype=torch.long)
        crops = images[self.rows].astype("float32") / max_value
        self.images = (torch.from_numpy(crops).unsqueeze(1) - 0.3) / 0.375

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]
