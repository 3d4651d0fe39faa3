import torch

N_SYMBOLS = 8      # classes 1..8, class 0 is the blank
CHANNELS = 6
_g = torch.Generator().manual_seed(100)
PROTOTYPES = torch.randn(N_SYMBOLS + 1, 2, CHANNELS, generator=_g)


def utterance(gen, min_len, max_len):
    n = int(torch.randint(min_len, max_len + 1, (1,), generator=gen))
    labels = torch.randint(1, N_SYMBOLS + 1, (n,), generator=gen)
    frames = []
    for s in labels.tolist():
        gap, dur = torch.randint(1, 4, (1,), generator=gen).item(), torch.randint(4, 8, (1,), generator=gen).item()
        frames.append(torch.zeros(gap, CHANNELS))
        ramp = torch.linspace(0, 1, dur).unsqueeze(1)
        frames.append((1 - ramp) * PROTOTYPES[s, 0] + ramp * PROTOTYPES[s, 1])
    frames.append(torch.zeros(2, CHANNELS))
    x = torch.cat(frames)
    return x + 0.8 * torch.randn(x.shape, generator=gen), labels


def make_split(n, seed, min_len=2, max_len=8):
    gen = torch.Generator().manual_seed(seed)
    return [utterance(gen, min_len, max_len) for _ in range(n)]


def collate(items):
    xs, ys = zip(*items)
    x_len = torch.tensor([len(x) for x in xs])
    y_len = torch.tensor([len(y) for y in ys])
    x = torch.nn.utils.rnn.pad_sequence(xs, batch_first=True)
    return x, torch.cat(ys), x_len, y_len
