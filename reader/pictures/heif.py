"""HEIC through libheif: with this module Pillow knows the format."""

import pi_heif

# One thread, as everywhere in a reader; and no more of a file than its picture.
pi_heif.options.DECODE_THREADS = 1
pi_heif.options.THUMBNAILS = False
pi_heif.options.DEPTH_IMAGES = False
pi_heif.options.AUX_IMAGES = False
pi_heif.register_heif_opener()
