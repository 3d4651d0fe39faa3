class Settings:
    d_model = 48
    heads = 4
    ff = 128
    layers = 2
    vocab = 12 + 24
    degrees = 8
    peak_scale = 0.4
    warmup = 400
    epochs = 11
    batch = 32
    n_train = 2400
    n_val = 400
    seed = 2
