"""Words, tags and dependencies of a sentence (Universal Dependencies), by a parser that ships."""
