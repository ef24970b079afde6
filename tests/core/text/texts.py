"""Texts that every test of this room uses: hypothesis strategies and a corpus of awkward pieces."""

from __future__ import annotations

from hypothesis import strategies as st

CORPUS = (
    "整理论文和更新README",
    "⚠️ 危险",
    "👨‍👩‍👧 семья",
    "🇷🇺",
    "e\u0301",
    "①—◆",
    "〽️",
    "⏺️",
    "👍🏽",
    "🏴‍☠️",
    "क्षि",
    "☎ ☎\ufe0f ☎\ufe0e",
    "1️⃣",
    "각각",
    "한",
    "❤️‍🔥 🏳️‍🌈 👩‍💻",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "\u202eabc",
    "soft\u00adhyphen",
    "می\u200cخواهم",
    "กำลัง",
    "नी",
    "שָׁלוֹם",
    "🩷🫨",
    "й ё",
)

# What may stand in a note, and what should not: blanks, Latin, Cyrillic, CJK, emoji and their joiners, marks of
# Indic, Arabic and Hangul, controls, bidi, tags, variation selectors, surrogates.
_PIECES = (
    *"ab1#z \t\n.([",
    *"яЙё—→│●",
    *"整「」。ーカ한각",
    *"⚠☎❤👩💻👍🏳🏴🌈🇷🇺①",
    *"\u200d\u200d\ufe0f\ufe0f\ufe0e\u20e3\u0301🏽",
    *"कष्िीমন്",
    *"هم\u064bאּกำ",
    *"\u1100\u1161\u11a8",
    *"\x00\x1b\x07\r\x0b\x0c\x1c\x7f\x85\x9b",
    *"\u200b\u200c\u2028\u2029\u202e\u2066\u2060\ufeff\u00ad\u034f\u3164\u115f",
    *"\U000e0067\U000e0062\U000e0031\U000e007f\U000e0100\U0001d173",
    *"\udc80\ud800",
)
nasty = st.text(st.sampled_from(_PIECES), max_size=40)
any_text = st.one_of(nasty, st.text(max_size=40), st.lists(st.sampled_from(CORPUS), max_size=8).map(" ".join))
cells = st.integers(min_value=-1, max_value=30)
