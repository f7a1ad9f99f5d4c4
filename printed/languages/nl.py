"""Dutch."""

from printed.language import Language

LANGUAGE = Language(
    code="nl",
    months="jan januari, feb febr februari, maart mrt, apr april, mei, jun juni, jul juli, aug augustus, sep september,"
    " okt oktober, nov november, dec december",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    weeks="week",
    quarters="kwartaal",
    numbers="1 een, 2 twee, 3 drie, 4 vier, 5 vijf, 6 zes, 7 zeven, 8 acht, 9 negen, 10 tien, 11 elf, 12 twaalf, 14"
    " veertien, 15 vijftien, 18 achttien, 20 twintig, 24 vierentwintig, 30 dertig, 36 zesendertig, 40 veertig,"
    " 50 vijftig, 60 zestig, 90 negentig, 100 honderd",
    scales="thousand duizend, million miljoen, billion miljard",
    currencies="EUR euro",
    units="% procent procenten, day dag dagen, week week weken, month maand maanden, year jaar jaren, hour uur"
    " uren, minute minuut minuten",
    stopwords="de het een en van is zijn op met voor door niet wat welke wie wanneer waar hoe",
    yes="ja",
    negations="niet geen nooit zonder",
    late_negations="niet",
    more="stijg steeg gestegen toegenomen",
    less="daal gedaald afgenomen verlaag",
    minimum="minstens ten_minste meer_dan niet_minder_dan",
    maximum="hoogstens maximaal minder_dan niet_meer_dan",
    minimum_behind="of_meer",
    maximum_behind="of_minder",
    titles="mevrouw meneer dhr mevr",
    approved="ondertekend goedgekeurd",
    has="heeft hebben",
    by="door",
    asks="vraag bel contacteer informeer vragen_aan",
    reports="volgens bedraagt bedragen staat staan noemt vermeldt vermeld toont bevat kost kosten waarde getal"
    " tekst woord woorden zin ook hier in bij als dan nog maar om te er dit dat die deze zijn haar hun"
    " werd wordt worden heeft hebben was binnen tussen tijdens zelf meer zeer uit al",
    mentions="noemt noemen vermeldt vermelden bevat bevatten",
    parties="tenant huurder huurders, landlord verhuurder verhuurders, buyer koper, seller verkoper, employer"
    " werkgever, employee werknemer, customer klant klanten, supplier leverancier leveranciers, insurer"
    " verzekeraar, bank bank, recipient ontvanger, sender afzender",
    meanings="total som, rent huur, deposit borg waarborgsom, pay betaalt betalen betaald betaling, sign ondertekend"
    " handtekening, deliver levert geleverd levering, deadline termijn, interest rente, penalty boete, roof"
    " dak, damage schade, insurance verzekering, warranty garantie, heating verwarming, loan lening",
    directions="door sinds vanaf van aan voor tegen met dan",
    before="voordat tot",
    after="na nadat",
    universals="alle alles elke elk iedere ieder altijd alleen beide",
    permits="mag mogen kan kunnen",
    obliges="moet moeten dient verplicht",
    conditions="indien tenzij zonder",
    derived="e en s t d ing ingen baar",
    pages="pagina",
    page_joiners="van",
    documents="documenten facturen contracten",
    sources="bron bronnen zie",
    columns={
        "sku": "artikelnummer, artikelnr, artikel nr, art nr, productcode, productnummer, code",
        "description": "omschrijving, artikelomschrijving, beschrijving, artikel, product, dienst, werkzaamheden",
        "quantity": "aantal, hoeveelheid, stuks, uren",
        "unit": "eenheid, eenh",
        "unit_price": "prijs per stuk, prijs per eenheid, stukprijs, stuksprijs, eenheidsprijs, prijs p st, prijs"
        " st, prijs stuk, netto prijs, prijs excl, prijs excl btw, tarief, uurtarief, prijs",
        "tax_code": "btw, btw tarief",
        "amount": "bedrag, totaalbedrag, totaal, totaal excl btw, totaal incl btw, bedrag excl btw, bedrag"
        " incl btw, totaalprijs, prijs incl btw, prijs incl, prijs totaal, regelbedrag, subtotaal,"
        " netto bedrag, waarde",
    },
    label_words="number nummer, amount bedrag, tax btw, total totaal, invoice factuur, price prijs, currency valuta",
    counts="aantal",
    totals="*totaal*",
    adjustments="btw *korting*",
    company_forms="bv nv",
)
