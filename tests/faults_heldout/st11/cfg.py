CLASSES = ("healthy", "rust", "mildew", "wilt")
ARCHIVE = "plots.npz"
SEED = 20
EPOCHS = 25
BATCH = 32
LR = 3e-3
N_VAL = 150
