"""Things drawn into office files: charts, drawings of words, objects of other programs."""
