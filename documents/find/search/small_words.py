"""The words that make a question of its words and tell nothing about what is asked, of the languages of most documents.

How few pages have a word says how much it tells, but not of these: invoices have no “what”, so the one letter that has
it would be the answer to every question. Left out is what another language has as a word of its own: hat, son, van.
"""

from __future__ import annotations

from documents.index.words.terms import split_terms

_BY_LANGUAGE = {
    "en": "what which who whom whose when where why how is are was were be been do does did the a an of in on at to for"
    " from by with and or that this these those its our we i my you your there has have had",
    "de": "was welche welcher welches welchen welchem wer wem wen wann wo warum wie ist sind wird werden der das dem"
    " den des ein eine einer eines einem und oder von vom im am zu zum zur mit für auf haben",
    "fr": "quel quelle quels quelles qui que quoi quand où pourquoi comment est sont le la les un une des du de et ou"
    " dans pour par sur avec",
    "es": "qué cuál cuáles quién quiénes cuándo dónde cómo es el los las una del y o en por para con",
    "it": "che quale quali chi quando è sono il lo gli di della e per con",
    "nl": "wat welke wie wanneer waar zijn het een op voor",
    "pt": "qual quais quem onde é são as um uma do da em ao",
    "cs": "který která které kdo kdy kde jak je jsou",
    "pl": "który która które kto kiedy gdzie jak jest są",
}
SMALL_WORDS = frozenset(term for words in _BY_LANGUAGE.values() for term in split_terms(words))
