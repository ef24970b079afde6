"""What file text looks like on a screen and how many cells it takes."""
