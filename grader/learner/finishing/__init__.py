"""Give learners who finish their engine as a library, and the numbers for a certificate."""
