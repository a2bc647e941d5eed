"""Consistency over samples: a claim that the model does not repeat when it is asked again is probably made up."""
