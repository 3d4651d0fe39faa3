from pumps.models.cnn import WaveCNN

MODELS = {"wave_cnn": WaveCNN}
