from torch.utils.data import Dataset


class RoutingDataset(Dataset):
    """One order per line: family, material, holes, tolerance, finish, then the operations."""

    header = 5

    def __init__(self, path, vocab):
        with open(path) as f:
            self.orders = [vocab.encode(line.split()) for line in f if line.strip()]

    def __len__(self):
        return len(self.orders)

    def __getitem__(self, i):
        return {"input_ids": self.orders[i]}
