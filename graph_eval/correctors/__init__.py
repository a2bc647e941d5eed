"""From flagged claims to edits of their own words: proposals, splicing, acceptance."""
