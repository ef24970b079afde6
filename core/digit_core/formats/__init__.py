"""What bytes mean: § documents in both dialects, tags, the configuration. Pure: no file is opened here."""
