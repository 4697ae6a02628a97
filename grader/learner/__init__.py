"""One learner's desk: progress, hints, quiz, pictures of their own engine."""
