"""Reading logs: formats, column inference, parsing, decompression."""
