"""Dutch words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "factuur, verkoopfactuur, eindfactuur, voorschotfactuur, termijnfactuur, rekening, energienota,"
        " jaarafrekening, factuurkopie, servicefactuur, eindafrekening, termijnnota, facturen",
        "receipt": "kassabon, bon, kwitantie, betaalbewijs, ontvangstbewijs, kasbon, klantkopie, pinbon,"
        " huurkwitantie, winkelbon, taxibon, parkeerbon, tankbon",
        "credit note": "creditnota, creditfactuur, kredietnota, tegoedbon factuur, creditering, correctiefactuur",
        "order": "bestelling, inkooporder, bestelbon, orderbevestiging, bestelformulier, opdrachtbevestiging,"
        " werkorder, order, bevestiging van uw bestelling, inkoopopdracht, aankooporder, werkbon",
        "delivery note": "pakbon, leverbon, afleverbon, vrachtbrief, leveringsbon, paklijst, verzendnota,"
        " afleverbewijs, zendnota, begeleidingsbrief, cmr, retourbon, ontvangstbon goederen",
        "contract": "overeenkomst, contract, huurovereenkomst, arbeidsovereenkomst, koopovereenkomst,"
        " leningsovereenkomst, geheimhoudingsovereenkomst, samenwerkingsovereenkomst, huurcontract, arbeidscontract,"
        " opdrachtovereenkomst, raamovereenkomst, onderhoudscontract, addendum, aanvulling op de overeenkomst,"
        " licentieovereenkomst, dienstverleningsovereenkomst, koopcontract, overeenkomst van opdracht,"
        " leaseovereenkomst, wijziging arbeidsovereenkomst, allonge, akte, leenovereenkomst",
        "statement": "rekeningafschrift, bankafschrift, afschrift, rekeningoverzicht, saldo-overzicht,"
        " creditcardoverzicht, rekeninguittreksel, openstaand saldo, overzicht van uw rekening, klantenoverzicht,"
        " transactieoverzicht",
        "payslip": "loonstrook, salarisstrook, loonbrief, salarisspecificatie, loonspecificatie, loonfiche,"
        " loonafrekening, loonstrookje",
        "letter": "herinnering, betalingsherinnering, aanmaning, eerste herinnering, tweede herinnering,"
        " ingebrekestelling, opzegging, laatste aanmaning, brief, memo, doorgestuurd, sommatie",
        "form": "formulier, aanvraag, aanvraagformulier, inschrijfformulier, aanmeldingsformulier, machtiging,"
        " machtiging sepa, sepa-machtiging, doorlopende machtiging, schadeformulier, aangifte, verklaring, volmacht,"
        " vragenlijst, declaratieformulier, schadeaangifte, klachtenformulier, wijzigingsformulier, verlofaanvraag,"
        " aangifteformulier, doorlopende machtiging sepa",
        "report": "rapport, verslag, notulen, jaarverslag, inspectierapport, keuringsrapport, overzicht, lijst,"
        " inkoopboek, verkoopboek, voorraadlijst, inventaris, grootboek, kasboek, debiteurenlijst,"
        " openstaande posten, factuurlijst, onderzoeksrapport, bevindingen, analyse, testrapport, inventarislijst,"
        " crediteurenlijst, vergaderverslag, journaal, meetrapport, bezoekverslag, lijst van facturen, maandrapport",
        "identity paper": "identiteitskaart, paspoort, rijbewijs, verblijfsvergunning, verblijfstitel,"
        " reisdocument, geboorteakte, nationale identiteitskaart, verblijfsdocument, vreemdelingenkaart",
        "other": "offerte, prijsopgave, proforma factuur, pro-formafactuur, proformafactuur, proforma, aanbieding,"
        " menu, menukaart, dagmenu, recept, prijslijst, certificaat, diploma, curriculum vitae, uitnodiging, agenda,"
        " programma, dienstregeling, handleiding, gebruiksaanwijzing, instapkaart, ticket, cadeaubon, reglement,"
        " mededeling, garantiebewijs, spelregels, nieuwsbrief, rooster, lunchkaart, huisregels, affiche,"
        " prijsofferte",
    },
    labels={
        "ordinal_clause": "artikel één",
        "party_column": "leverancier, klant, debiteur, crediteur, relatie, firma",
        "referring": "volgens, conform, overeenkomstig, inzake, betreft, op basis van, ingevolge",
        "invoice_number": "factuurnummer, factuurnr, factuur nr, notanummer, factuur nummer,"
        " rekeningnummer factuur, factuurno",
        "payment_due": "vervaldatum, te betalen voor, betalen voor, betaaltermijn, uiterste betaaldatum,"
        " betalingstermijn, vervaldag, te voldoen voor, betalingsconditie, betaling voor",
        "bill_to": "factuuradres, gefactureerd aan, factuur aan, aan, rekening aan, t.a.v",
        "amount_due": "te betalen, totaal te betalen, factuurbedrag, te voldoen, totaalbedrag, totaal factuur,"
        " nog te betalen, totaal te voldoen, totaal verschuldigd, openstaand bedrag",
        "vat_sums": "btw, subtotaal, totaal excl, totaal incl, totaal exclusief btw, totaal inclusief btw,"
        " excl. btw, incl. btw, netto, btw-bedrag, maatstaf van heffing",
        "vat_number": "btw-nummer, btw nr, btw-nr, btw-id, btw nummer, kvk, kvk-nummer, ondernemingsnummer",
        "bank_details": "iban, bic, bank, rekeningnummer, rekeningnr, bankrekening, t.n.v",
        "cash": "contant, wisselgeld, pin, pinnen, betaald met, terug, maestro, visa, betaald per pin, gepind,"
        " contant betaald, ontvangen contant, v pay",
        "till": "kassa, kassier, tafel, bediening, bonnr, bonnummer, filiaal, u werd geholpen door, geholpen door,"
        " pomp, medewerker, aantal artikelen",
        "card_slip": "terminal, merchant, autorisatie, autorisatiecode, kaart, transactie, kaartnr, betaling,"
        " akkoord, periode, authcode, terminalid",
        "received_sum": "ontvangen van, de som van, het bedrag van, voor huur, huurder, verhuurder,"
        " ontvangen bedrag, huur, in goede orde ontvangen van, bedrag ontvangen, betaald door, zegge",
        "credit_sum": "creditbedrag, totaal credit, terug te betalen, tegoed, u ontvangt terug,"
        " totaal te crediteren, in uw voordeel, te ontvangen, totaal terug, gecrediteerd bedrag, te uwer gunste",
        "corrects_invoice": "betreft factuur, correctie factuur, oorspronkelijke factuur, bij factuur, op factuur,"
        " creditering van factuur, ref. factuur, onze factuur, creditering factuur",
        "credit_reason": "reden, retour, reden retour, teruggezonden, reden van creditering, retour ontvangen,"
        " geretourneerd",
        "wanted_by": "leverdatum, gewenste leverdatum, leveren voor, levering voor, verwachte levering,"
        " gewenste levering, leverweek, verwachte leverdatum, levering, levertijd",
        "order_party": "leverancier, besteller, inkoper, opdrachtgever, aangevraagd door, kostenplaats,"
        " goedgekeurd door, afdeling, koper, besteld door",
        "order_sum": "ordertotaal, totaal bestelling, orderwaarde, totaal order, bestelwaarde, orderbedrag",
        "delivered": "besteld, geleverd, nageleverd, na te leveren, verzonden, aantal geleverd, aantal besteld,"
        " backorder, volgt, nog te leveren, ingepakt",
        "carriage": "vervoerder, colli, aantal colli, brutogewicht, nettogewicht, gewicht, pallets, dozen,"
        " chauffeur, kenteken, afzender, geadresseerde, ontvanger, verzenddatum, pakketten, transporteur, zending",
        "goods_received": "handtekening ontvanger, ontvangen in goede staat, voor ontvangst,"
        " in goede orde ontvangen, handtekening voor ontvangst, goederen ontvangen, ontvangen door,"
        " voor ontvangst getekend",
        "deliver_to": "afleveradres, leveren aan, leveringsadres, bezorgadres, verzenden naar, afleveren bij,"
        " leveradres",
        "balances": "beginsaldo, eindsaldo, vorig saldo, nieuw saldo, saldo, oud saldo, openingssaldo, saldo begin,"
        " saldo einde, huidig saldo",
        "account": "rekeninghouder, rekening, volgnummer, periode, boekdatum, bij, af, rentedatum, valutadatum,"
        " datum afschrift, bij schrijving, afgeschreven, bijgeschreven, limiet",
        "debit_credit": "debet, credit, af, bij, af/bij",
        "ageing": "0-30 dagen, 31-60 dagen, 61-90 dagen, 30 dagen, 60 dagen, 90 dagen, ouder dan 90 dagen, vervallen",
        "net_pay": "nettoloon, netto salaris, netto uit te betalen, netto loon, uit te betalen, netto te betalen,"
        " nettosalaris, netto uitbetaling, netto",
        "gross_pay": "brutoloon, bruto salaris, basisloon, brutosalaris, bruto loon, basissalaris, overuren,"
        " uurloon, totaal bruto, toeslag, ploegentoeslag, salaris, periodesalaris",
        "deductions": "inhoudingen, totaal inhoudingen, loonheffing, loonbelasting, pensioenpremie, rsz,"
        " bedrijfsvoorheffing, sociale premies, premie wga, bijdrage zvw, pensioen, premie",
        "employee": "werknemer, werkgever, personeelsnummer, personeelsnr, loonperiode, tijdvak, functie, bsn,"
        " loonheffingskorting, in dienst, gewerkte uren, rijksregisternummer, geboortedatum",
        "subject": "betreft, onderwerp, ons kenmerk, uw kenmerk, kenmerk, bijlage, bijlagen",
        "mail_header": "van, aan, verzonden, onderwerp, cc, datum, bijlage",
        "form_blank": "achternaam, voornaam, naam, adres, postcode, woonplaats, telefoon, e-mail, handtekening,"
        " geboortedatum, datum, voorletters, telefoonnummer, plaats, plaats en datum, geboorteplaats, iban",
        "report_heads": "samenvatting, conclusie, conclusies, bevindingen, aanbevelingen, inleiding, resultaten,"
        " resultaat, doel, methode, besluiten, actiepunten, beoordeling, opmerkingen, acties, advies,"
        " vooruitzichten, maatregelen, rondvraag",
        "report_by": "opgesteld door, auteur, inspecteur, aanwezig, afwezig, notulist, voorzitter, datum inspectie,"
        " uitgevoerd door, verslagperiode, stand per, per, afgedrukt op, opdrachtgever, datum bezoek, aanwezigen,"
        " deelnemers, peildatum",
        "person": "naam, voornamen, nationaliteit, geboortedatum, geboorteplaats, geslacht, geldig tot,"
        " afgiftedatum, datum afgifte, autoriteit, documentnummer, lengte, handtekening, persoonsnummer, soort,"
        " instantie, verloopdatum, afgegeven door, plaats van geboorte, geldig tot en met",
        "offer": "geldig tot, offerte geldig, geldigheid, offertenummer, offerte nr, geldigheidsduur, offertedatum,"
        " prijs geldig tot",
    },
    phrases={
        "payment_due": "binnen * dagen, gelieve te betalen, over te maken, betaling binnen,"
        " wordt automatisch geïncasseerd, onder vermelding van, wij schrijven",
        "till": "bedankt voor uw bezoek, tot ziens, bedankt en tot ziens, dank u wel, bewaar deze bon,"
        " bedankt voor uw aankoop, prettige dag",
        "received_sum": "ontvangen van, de som van, het bedrag van, contant ontvangen,"
        " verklaart te hebben ontvangen, voor voldaan, heb ontvangen, in contanten, ontvangst van",
        "credit_sum": "wordt teruggestort, in uw voordeel, wordt verrekend, te uwer gunste, wordt gecrediteerd,"
        " crediteren wij, wij crediteren, terugbetaald, verrekenen wij, storten wij, op uw rekening terug",
        "corrects_invoice": "betreft factuur, op factuur, onze factuur, van factuur, correctie op factuur,"
        " bij onze factuur, tegen factuur",
        "invoice_prose": "brengen wij u in rekening, wij brengen u in rekening, factureren wij,"
        " hierbij factureren wij, berekenen wij u",
        "ordering": "gelieve te leveren, wij bestellen, hierbij bestellen wij, graag levering, graag ontvangen wij,"
        " gelieve te bevestigen, vermeld ons ordernummer, wij willen bestellen, kunnen jullie, graag leveren,"
        " kunt u, stuur ons, hebben we nodig, graag bevestigen, ordernummer vermelden",
        "confirms_order": "bevestigen wij uw bestelling, bedankt voor je bestelling, bedankt voor uw bestelling,"
        " we hebben je bestelling, wij hebben uw bestelling, uw bestelling is, hierbij bevestigen wij,"
        " bevestigen de ontvangst van uw order, uw opdracht, bedankt voor uw order, bevestigen we",
        "goods_received": "in goede staat ontvangen, in goede orde, goederen ontvangen, factuur volgt,"
        " geen factuur, volledig ontvangen, gecontroleerd en ontvangen, onbeschadigd ontvangen, factuur wordt",
        "no_invoice": "factuur volgt, geen factuur, factuur wordt, factuur ontvangt u, factuur later,"
        " wordt apart gefactureerd, de factuur zal, verzamelfactuur",
        "parties": "hierna te noemen, hierna, partijen, de verhuurder, de huurder, de werkgever, de werknemer,"
        " opdrachtgever en, de opdrachtnemer, de koper, de verkoper, zijn overeengekomen, komen overeen,"
        " ondergetekenden, enerzijds, anderzijds, de geldgever, de geldnemer, elk der partijen, beide partijen,"
        " de uitlener, de lener",
        "clause_words": "opzegtermijn, toepasselijk recht, bevoegde rechter, van toepassing, geheimhouding,"
        " vertrouwelijk*, looptijd, beëindigd, schriftelijk, overmacht, aansprakelijk*, ontbinding, waarborgsom,"
        " verplicht zich, blijven ongewijzigd, proeftijd, nederlands recht, opzegging, onbepaalde tijd,"
        " bepaalde tijd, boete, treedt in werking",
        "signed_by_parties": "in tweevoud, aldus overeengekomen, opgemaakt te, in tweevoud opgemaakt, voor akkoord,"
        " getekend te, handtekening partijen",
        "mail_header": "oorspronkelijk bericht, doorgestuurd bericht, in de bijlage, als bijlage, bijgevoegd,"
        " stuur ik je, ik stuur u",
        "salutation": "geachte *, beste *, hallo *, dag *, hoi *, geachte heer, geachte mevrouw, goedemorgen, lieve *",
        "closing": "met vriendelijke groet, met vriendelijke groeten, hoogachtend, vriendelijke groeten, groeten,"
        " groet, mvg, met groet, alvast bedankt, vriendelijke groet",
        "letter_prose": "hierbij deel ik, hierbij delen wij, wij verzoeken u, naar aanleiding van, wij willen u,"
        " tot onze spijt, graag zien wij, wij hebben nog geen, nog niet ontvangen, nog open, bij dezen,"
        " zijn wij genoodzaakt, mocht u, in antwoord op, wij herinneren u, uiterlijk, laat het ons weten,"
        " neem contact op",
        "fill_in": "invullen, in blokletters, in te vullen, vul in, volledig invullen, gelieve in te vullen,"
        " met blokletters",
        "tick": "aankruisen, kruis aan, doorhalen wat niet, aanvinken, aankruisen wat, schrappen wat niet past",
        "office_use": "in te vullen door, niet invullen, bestemd voor de administratie, alleen voor intern gebruik,"
        " voor intern gebruik, vak bestemd voor",
        "declares": "ondergetekende, verklaar, verklaart, machtigt, ik machtig, verklaar dat, geef toestemming,"
        " naar waarheid, ik ga akkoord, vraagt aan",
        "meeting": "de vergadering, volgende vergadering, met algemene stemmen, agendapunt, het bestuur,"
        " wordt besloten, besloten wordt, de voorzitter, sluit de vergadering, opent de vergadering",
        "report_prose": "is vastgesteld, werd vastgesteld, werden gemeten, is uitgevoerd, wordt aanbevolen,"
        " wij adviseren, ten opzichte van, procent, gemiddeld, zijn gevonden, steeg met, daalde met, is gestegen,"
        " is gedaald, werden onderzocht, tijdens de inspectie, geen gebreken, voldoet aan, in de periode,"
        " vorig jaar, vorig kwartaal",
        "offer": "offerte is geldig, vrijblijvend, bieden wij u aan, wij bieden u, deze offerte, geldig tot,"
        " voor akkoord ondertekenen, vooruitbetaling, voor douanedoeleinden, geen betalingsverplichting, ons aanbod,"
        " doen wij u, aanbod is geldig, prijzen geldig",
    },
)
