import pandas as pd
import torch
from sklearn.model_selection import GroupShuffleSplit
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

STATES = ["normal", "cavitation", "worn_seal", "blocked"]
FEATURES = ["load_pct", "temp_c", "pressure_bar", "vibration_mm_s", "flow_l_min", "current_a"]


def load(path, test_share, batch_size, seed):
    """Readings are exported pump by pump and state by state; whole pumps are held out."""
    frame = pd.read_csv(path)
    frame = frame.sort_values(["pump", "state"], kind="stable").reset_index(drop=True)
    labels = frame["state"].map(STATES.index).to_numpy()
    splitter = GroupShuffleSplit(n_splits=1, test_size=test_share, random_state=seed)
    tr, te = next(splitter.split(frame, labels, groups=frame["pump"]))
    assert not set(frame.pump[tr]) & set(frame.pump[te])

    scaler = StandardScaler().fit(frame.loc[tr, FEATURES])

    def tensors(idx):
        x = torch.tensor(scaler.transform(frame.loc[idx, FEATURES]), dtype=torch.float32)
        return TensorDataset(x, torch.tensor(labels[idx]))

    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(tensors(tr), batch_size=batch_size, shuffle=True, generator=gen)
    test = DataLoader(tensors(te), batch_size=256, shuffle=False)
    return train, test
