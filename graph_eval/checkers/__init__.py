"""From claims and passages to judgements: windows, pairs, scores, merge."""
