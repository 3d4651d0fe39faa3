import math
import random


def jitter(img, max_shift=1):
    """Shift a 2-D list image by up to max_shift pixels."""
    h, w = len(img), len(img[0])
    dy, dx = random.randint(-max_shift, max_shift), random.randint(-max_shift, max_shift)
    return [[img[y - dy][x - dx] if 0 <= y - dy < h and 0 <= x - dx < w else 0.0 for x in range(w)] for y in range(h)]


def gaussian_blur(img, sigma=0.6, radius=3):
    h, w = len(img), len(img[0])
    out = [[0.0] * w for _ in range(h)]
    for y in range(h):
        for x in range(w):
            acc = norm = 0.0
            for j in range(-radius, radius + 1):
                for i in range(-radius, radius + 1):
                    if 0 <= y + j < h and 0 <= x + i < w:
                        k = math.exp(-(i * i + j * j) / (2 * sigma * sigma))
                        acc += k * img[y + j][x + i]
                        norm += k
            out[y][x] = acc / norm
    return out
