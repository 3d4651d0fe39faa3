# denoiser settings
SEED = 4
WIDTH = 16
LR = 2e-3

# lengths are in thousands of images shown to the network
BATCH = 32
TOTAL_KIMG = 30
TICK_KIMG = 3

EMA_HALFLIFE_KIMG = 500
EMA_RAMPUP_RATIO = None

SNAPSHOT = "/tmp/denoiser_ema.pt"
