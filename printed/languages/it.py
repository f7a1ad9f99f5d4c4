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
    asks="chieda contatti chiami consulti informi chiedere_a contattare chiamare",
    reports="secondo ammonta ammontano indica indicano indicato menziona figura figurano dice mostra contiene"
    " costa costano valore numero testo parola parole frase anche qui in nel nella al allo alla ai il lo i"
    " gli le un uno una si ci ne suo sua suoi loro questo questa è stato stata sono ha hanno fra tra entro"
    " durante ma se non dello degli dei delle sul sulla più molto stesso",
    mentions="menziona nomina indica contiene prevede cita",
    parties="tenant inquilino conduttore locatario, landlord locatore padrone proprietario, buyer acquirente"
    " compratore, seller venditore, employer datore, employee dipendente lavoratore, customer cliente clienti,"
    " supplier fornitore fornitori, insurer assicuratore, bank banca, recipient destinatario, sender mittente",
    meanings="total somma, rent affitto canone, deposit cauzione deposito, pay paga pagano pagare pagato pagamento,"
    " sign firmato firma firmata, deliver consegna consegnato, deadline termine preavviso, interest interessi,"
    " penalty penale, roof tetto, damage danno danni, insurance assicurazione, warranty garanzia, heating"
    " riscaldamento, loan prestito",
    directions="da dal dalla di del a al per contro con che",
    before="prima fino",
    after="dopo",
    universals="tutti tutte tutto tutta ogni sempre solo soltanto entrambi",
    permits="può possono potrà",
    obliges="deve devono dovrà obbligato",
    conditions="se salvo senza",
    derived="o a i e ato ata ati ate are zione zioni mento abile",
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
