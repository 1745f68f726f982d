"""Sound: WAV files, spectrograms, and the coefficients that speech recognisers read."""
