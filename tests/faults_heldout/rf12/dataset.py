import numpy as np
import torch
from torch.utils.data import Dataset


class Stays(Dataset):
    def __init__(self, path, rows):
        z = np.load(path)
        self.code, self.value, self.offset = z["code"], z["value"], z["offset"]
        self.score = z["score"]
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        r = self.rows[i]
        s = slice(self.offset[r], self.offset[r + 1])
        return (torch.from_numpy(self.code[s].astype(np.int64)) + 1,
                torch.from_numpy(self.value[s].astype(np.float32)), float(self.score[r]))


def collate(batch):
    codes, values, score = zip(*batch)
    pad = lambda seq: torch.nn.utils.rnn.pad_sequence(seq, batch_first=True)
    return pad(codes), pad(values), torch.tensor(score)
