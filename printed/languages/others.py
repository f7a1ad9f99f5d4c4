"""Words of languages that have no table of their own: Czech, Swedish, Danish, Norwegian, Malay and more."""

from printed.language import Language

LANGUAGE = Language(
    code="",
    bends_names=True,
    months="januar leden ledna, februar unor unora, mrt mars marts brezen brezna, april duben dubna, maj maja kveten"
    " kvetna, juni cerven cervna, juli cervenec cervence, august augusti srpen srpna, september zari, okt oktober rijen"
    " rijna, november listopadu, dec december prosinec prosince",
    scales="million milion, billion miliard",
    currencies="SEK/NOK/DKK/CZK kronor kroner",
    units="% procent, day dag",
    stopwords="na která který které je že podle ve kdo kdy kde jak jsou och är det på att og ikke",
    pages="side sida strana sivu oldal",
    page_joiners="av af z",
    label_words="number numer",
    totals="jumlah celkem",
    adjustments="dph",
    company_forms="sro as oy ab sdn_bhd bhd s/b",
    shops="restoran kedai syarikat",
    streets="jalan jln taman lebuh",
)
