"""What a steward says of the detector's marks: the signed file, and what it comes to in words."""
