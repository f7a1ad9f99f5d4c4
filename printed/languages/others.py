"""Words of languages that have no table of their own: Polish, Czech, Swedish, Danish, Norwegian, Malay and more."""

from printed.language import Language

LANGUAGE = Language(
    code="",
    bends_names=True,
    months="januar stycznia styczen leden ledna, februar luty lutego unor unora, mrt mars marts marca marzec brezen"
    " brezna, april kwiecien kwietnia duben dubna, maj maja kveten kvetna, juni czerwiec czerwca cerven"
    " cervna, juli lipiec lipca cervenec cervence, august augusti sierpien sierpnia srpen srpna, september"
    " wrzesien wrzesnia zari, okt oktober pazdziernik pazdziernika rijen rijna, november listopad listopada"
    " listopadu, dec december grudzien grudnia prosinec prosince",
    weekdays="poniedziałek, wtorek, środa środę, czwartek, piątek, sobota sobotę, niedziela niedzielę",
    scales="thousand tysięcy tys, million milion milionów, billion miliard miliardów",
    currencies="PLN zloty złoty złotych złote, SEK/NOK/DKK/CZK kronor kroner",
    units="% procent procenta proc, day dzień dni dag, week tydzień tygodnie tygodni, month miesiąc miesiące"
    " miesięcy, year rok lata lat, hour godzin godziny",
    stopwords="jest nie się są na z w który która które který která které kto kiedy gdzie jak je že podle"
    " ve kdo kdy kde jsou och är det på att og ikke",
    negations="nie",
    more="wzros",
    less="spad",
    minimum="co_najmniej przynajmniej więcej_niż ponad",
    maximum="najwyżej maksymalnie mniej_niż poniżej",
    minimum_behind="lub_więcej",
    maximum_behind="lub_mniej",
    pages="side sida strana strona sivu oldal",
    page_joiners="av af z",
    documents="dokumenty dokumentach faktura faktury umowa umowy",
    sources="źródło źródła zob",
    totals="jumlah celkem razem",
    adjustments="dph",
    company_forms="sro as oy ab sdn_bhd bhd s/b",
    label_words="number numer",
    shops="restoran kedai syarikat",
    streets="jalan jln taman lebuh",
)
