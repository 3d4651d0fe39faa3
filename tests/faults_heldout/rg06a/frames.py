import struct
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class LeafFrames(Dataset):
    """Grayscale leaf scans in a packed archive: header, index, deflated uint8 rasters."""

    side = 32

    def __init__(self, path):
        raw = Path(path).read_bytes()
        count, self.height, self.width = struct.unpack_from("<III", raw, 0)
        self.table = np.frombuffer(raw, dtype="<u4", count=3 * count, offset=12).reshape(count, 3)
        self.raw = raw

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        begin, size, species = (int(v) for v in self.table[i])
        pix = np.frombuffer(zlib.decompress(self.raw[begin:begin + size]), dtype=np.uint8)
        img = torch.from_numpy(pix.reshape(1, 1, self.height, self.width).astype(np.float32)) / 255.0
        if (self.height, self.width) != (self.side, self.side):
            img = F.interpolate(img, size=(self.side, self.side), mode="area")
        return (img[0] - 0.5) / 0.25, species
