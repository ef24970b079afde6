"""What is seen in a home: the immutable snapshot, differences between two, health, room."""
