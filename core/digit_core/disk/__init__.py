"""Safe files: reading, the one atomic writer, locks, backups, our own folder, watching."""
