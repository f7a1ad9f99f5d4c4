"""Italian."""

from printed.language import Language

LANGUAGE = Language(
    code="it",
    months="gennaio gen, feb febbraio, mar marzo, apr aprile, maggio mag, giugno giu, luglio lug, ago agosto,"
    " settembre set, ottobre ott, nov novembre, dic dicembre",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    date_joiners="di del",
    ordinals="º",
    weeks="settimana",
    quarters="trimestre",
    numbers="1 un una uno, 2 due, 3 tre, 4 quattro, 5 cinque, 6 sei, 7 sette, 8 otto, 9 nove, 10 dieci, 11 undici, 12"
    " dodici, 14 quattordici, 15 quindici, 18 diciotto, 20 venti, 24 ventiquattro, 30 trenta, 36 trentasei, 40"
    " quaranta, 50 cinquanta, 60 sessanta, 90 novanta, 100 cento",
    scales="thousand mille mila, million milione milioni, billion miliardo miliardi",
    currencies="EUR euro, USD/CAD/AUD/NZD/SGD/HKD dollari, CHF franchi",
    units="% per_cento, day giorno giorni, week settimana settimane, month mese mesi, year anno anni, hour ora ore,"
    " minute minuti, m metri, l litri",
    each="al all per",
    stopwords="il lo gli è e di della del dal una per con che chi quale quali quando sono dove come",
    yes="si",
    no="non",
    negations="non nessun nessuna senza",
    more="aument increment salit",
    less="diminui cala calo",
    minimum="almeno più_di oltre non_meno_di",
    maximum="al_massimo fino_a meno_di non_più_di",
    minimum_behind="o_più",
    maximum_behind="o_meno",
    titles="signor signora",
    approved="firmato firmata approvato approvata autorizzato autorizzata",
    has="ha hanno",
    by="da",
    pages="pagina",
    page_joiners="di",
    documents="documento documenti fattura fatture contratto contratti",
    sources="fonti fonte vedi",
    fields={"tax_rate": "iva", "tax": "iva"},
    columns={
        "sku": "codice, codice articolo, cod art, cod, articolo n, riferimento",
        "description": "descrizione, articolo, prodotto, servizio, prestazione, denominazione, oggetto",
        "quantity": "quantità, qtà, q tà, qta, ore, pezzi, pz",
        "unit": "unità, u m, um, unità di misura",
        "unit_price": "prezzo unitario, prezzo unit, p unitario, prezzo per unità, prezzo cad, cadauno, prezzo"
        " netto, costo unitario, tariffa, prezzo",
        "tax_code": "iva, aliquota, aliquota iva, cod iva",
        "amount": "importo, importo totale, totale, prezzo totale, totale riga, imponibile, prezzo ivato,"
        " prezzo iva inclusa, valore",
    },
    label_words="number numero, amount importo, tax iva, total totale, date data, invoice fattura, price prezzo,"
    " customer cliente, currency valuta",
    counts="quantita",
    carried="riporto",
    adjustments="iva *sconto*",
    company_forms="srl spa",
)
