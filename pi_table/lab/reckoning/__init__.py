"""The program that makes the referee's tables of kin. Kin are words that are too closely related,
such as *tragic* and *tragedy*.

``make kin`` writes the tables ``en.tsv`` and ``it.tsv`` in ``pi_table/games/referee/kin``. Each row
has a word, its parts of speech, its kin and, for a compound, its parts. People have written the kin
of some words in lists (*families*). For all other words, the referee uses the tables.
``kin/NOTICE.txt`` names the sources and their licences. The referee does not need this program::

    make kin                  # run tests/kin, then make both tables; makes .venv-kin (400 MB) first
    make kin KIN='--lang it'  # make one table
    make kin KIN=--measure    # measure, and write no table

The English table takes four minutes, the Italian table three. Each needs 2 GB of memory.

1. ``forms.py`` finds pairs of common words: words that begin alike, words that differ by a prefix,
   and a compound with one of its parts.
2. ``judging.py`` computes the probability that the words of a pair are kin. It is a logistic
   regression on the words' meanings (``meaning.py``), lexicon entries, letters, frequencies and
   endings.
3. ``reckoner.py`` writes a pair as certain kin if a lexicon confirms it. Other likely pairs become
   possible kin with their probability.

``--measure`` learns from half of the families, then looks for the kin in the other half. These are
its results of November 2026, with WordNet 3.1. For the last column, each tested word is compared
with the 8000 commonest words. The column is the average number of them that are wrongly called
kin::

             words tested   kin in their families   kin found   wrongly called kin
    English           968                    2358      72.6 %                 0.35
    Italian           789                    4538      76.2 %                 0.58

The tables have no new words, and no kin that look different (*go*, *went*). They may call words kin
that only look alike (*isle*, *island*).

``tests/lab/test_made_by.py`` fails if this code, its packages or a table has changed since
``kin/made-by.txt`` was written. ``made_by.py`` explains what to do after a change that cannot
affect a table.
"""
