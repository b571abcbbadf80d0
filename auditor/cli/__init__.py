"""The command line: parser, verbs, and what they print."""
