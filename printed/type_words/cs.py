"""Czech words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "faktura, faktura daňový doklad, daňový doklad, zálohová faktura daňový doklad, konečná faktura,"
        " faktura č, vyúčtování, faktura vydaná, vyúčtování služeb, souhrnná faktura",
        "receipt": "účtenka, paragon, pokladní doklad, stvrzenka, příjmový pokladní doklad, potvrzení o platbě,"
        " zjednodušený daňový doklad, potvrzení o zaplacení, příjmový doklad, kvitance, kopie pro zákazníka,"
        " doklad o zaplacení, prodej kartou, pokladní blok, příjemka peněz",
        "credit note": "dobropis, opravný daňový doklad, storno faktury, opravná faktura, storno, stornofaktura",
        "order": "objednávka, potvrzení objednávky, objednávkový list, přijatá objednávka, objednávka č,"
        " vydaná objednávka, závazná objednávka, zakázkový list",
        "delivery note": "dodací list, nákladní list, výdejka, balicí list, průvodní list, přepravní list,"
        " předávací list, expediční list, dodejka, balný list, přepravní doklad",
        "contract": "smlouva, smlouva o dílo, kupní smlouva, nájemní smlouva, pracovní smlouva, dodatek,"
        " dodatek ke smlouvě, dohoda, smlouva o nájmu, dohoda o mlčenlivosti, smlouva o zápůjčce, smlouva o úvěru,"
        " rámcová smlouva, dohoda o provedení práce, dodatek č, darovací smlouva, smlouva o poskytování služeb,"
        " servisní smlouva, smlouva o mlčenlivosti, podnájemní smlouva, dohoda o pracovní činnosti, licenční smlouva",
        "statement": "výpis, výpis z účtu, výpis z běžného účtu, výpis z kreditní karty, výpis z kreditního účtu,"
        " výpis pohybů, přehled pohybů, stav účtu, odsouhlasení pohledávek, odsouhlasení salda, výpis účtu,"
        " měsíční výpis, saldokonto odběratele",
        "payslip": "výplatní páska, výplatní lístek, mzdový list, výplatnice, výplata, mzdový výměr výplata,"
        " výplatní lístek za měsíc",
        "letter": "upomínka, výzva, věc, předžalobní výzva, oznámení, výpověď, 2. upomínka, dopis, výzva k úhradě,"
        " sdělení, fw, poslední upomínka, pozvánka, reklamace",
        "form": "žádost, formulář, přihláška, přihlášení, čestné prohlášení, dotazník, přiznání, daňové přiznání,"
        " hlášení, žádanka, plná moc, souhlas s inkasem, návrh, přihlašovací formulář, hlášení škody,"
        " záznam o nehodě, oznámení škodné události, přiznání k dani, cestovní příkaz, souhlas, tiskopis,"
        " prohlášení, souhlas se zpracováním, mandát k inkasu, hlášení pojistné události, svolení k inkasu,"
        " reklamační formulář",
        "report": "kniha, kniha přijatých faktur, kniha vydaných faktur, seznam, evidence, pokladní kniha,"
        " kniha závazků, kniha pohledávek, soupis, zpráva, výroční zpráva, zápis, zápis z jednání, protokol,"
        " přehled, revizní zpráva, zápis z porady, posudek, analýza, rozbor, seznam faktur, přehled faktur,"
        " zápis ze schůze, zkušební protokol, kniha faktur, kniha došlých faktur, auditní zpráva, měsíční zpráva,"
        " protokol o zkoušce, přehled neuhrazených faktur, kontrolní protokol, zpráva o, hodnocení,"
        " znalecký posudek, inventura, závěrečná zpráva, vyhodnocení",
        "identity paper": "občanský průkaz, cestovní pas, řidičský průkaz, povolení k pobytu, pas, rodný list,"
        " průkaz totožnosti, pobytový průkaz, průkaz, průkaz o povolení k pobytu, cestovní doklad",
        "other": "denní menu, polední menu, pravidla hry, program akce, nápojový lístek, otevírací doba,"
        " týdenní menu, nabídka, cenová nabídka, proforma faktura, zálohová faktura, ceník, jídelní lístek, recept,"
        " životopis, osvědčení, jízdní řád, program, katalog, pozvánka na, návod, vstupenka, leták, kalkulace,"
        " plakát, certifikát, rozvrh, poukaz, vysvědčení, palubní vstupenka, proforma, záruční list,"
        " návod k použití, tisková zpráva, provozní řád, nákupní seznam, rozpočet, harmonogram, potvrzení o studiu,"
        " letenka",
    },
    labels={
        "party_column": "dodavatel, odběratel, zákazník, firma, partner",
        "invoice_number": "číslo faktury, faktura č, faktura číslo, daňový doklad č, evidenční číslo, doklad č",
        "payment_due": "datum splatnosti, splatnost, splatno, duzp, datum zdanitelného plnění, datum uskutečnění,"
        " způsob úhrady, forma úhrady, den splatnosti, dat. splatnosti, datum zdan. plnění",
        "bill_to": "odběratel, fakturujeme vám, fakturační adresa, zákazník",
        "amount_due": "celkem k úhradě, k úhradě, celková částka, zbývá k úhradě, částka k úhradě, celkem s dph,"
        " celkem k platbě, k zaplacení",
        "vat_sums": "dph, základ, základ daně, celkem bez dph, sazba, daň, celkem, sazba dph, rekapitulace dph,"
        " cena bez dph, základ dph",
        "vat_number": "dič, ičo, ič",
        "bank_details": "iban, číslo účtu, variabilní symbol, bankovní spojení, vs, účet, č. účtu, var. symbol,"
        " konstantní symbol, banka",
        "cash": "hotovost, vráceno, platební karta, karta, hotově, vrátit, přijato, placeno, k vrácení zákazníkovi,"
        " zaplaceno, platba kartou, kartou",
        "till": "pokladna, pokladní, obsluha, stůl, účtenka č, účtenka, stojan, obsluhoval, obsluhovala,"
        " provozovna, doklad č, bkp, fik, číslo účtenky, prodejna",
        "card_slip": "autorizační kód, terminál, prodej, autorizace, bezkontaktní, kopie, obchodník, aid,"
        " autorizováno, kód autorizace, id terminálu, bezkontaktně",
        "received_sum": "přijato od, částka, slovy, účel platby, převzal od, přijal, za nájem, nájemce, účel,"
        " pronajímatel, přijato v hotovosti, přijal od, částku, zaplatil, za měsíc, obdržel od, nájemné za",
        "credit_sum": "k vrácení, vráceno, dobropisovaná částka, celkem k vrácení, ve váš prospěch, přeplatek,"
        " částka k vrácení, celkem dobropis, snížení, rozdíl, celkem opraveno, částka dobropisu",
        "corrects_invoice": "k faktuře, k dokladu, původní doklad, původní faktura, oprava faktury,"
        " k daňovému dokladu, opravuje fakturu, oprava dokladu, číslo původního dokladu, k původní faktuře,"
        " dobropis k faktuře, opravovaný doklad, původní daňový doklad, storno faktury, týká se faktury",
        "credit_reason": "důvod opravy, důvod, reklamace, vráceno zboží, důvod storna, důvod dobropisu",
        "wanted_by": "termín dodání, požadovaný termín, dodat do, datum dodání, termín, dodání,"
        " předpokládané dodání, dodací lhůta, požadované dodání, termín plnění, předpokládaný termín,"
        " potvrzený termín, termín expedice, termín dodávky",
        "order_party": "dodavatel, objednatel, vyřizuje, schválil, objednal, vystavil, vaše objednávka,"
        " objednávka ze dne, odběratel, středisko, prodávající",
        "order_sum": "celkem objednávka, cena objednávky, hodnota objednávky, celková cena objednávky",
        "delivered": "objednáno, dodáno, zbývá, dodané množství, nedodáno, zbývá dodat, objednané množství, vydáno,"
        " chybí, expedováno, dod. množství",
        "carriage": "dopravce, balíků, hmotnost, palet, řidič, spz, přepravce, odesílatel, příjemce, rz,"
        " počet balíků, kusů, datum expedice, počet palet, hrubá hmotnost, vozidlo, vydal, expedoval, počet kusů,"
        " způsob dopravy, rz vozidla, balil, kolik, datum dodání",
        "goods_received": "převzal, zboží převzal, zboží převzal bez závad, podpis příjemce, přijal, převzal dne,"
        " převzato, zboží přijal, razítko a podpis, předal, převzal (datum a podpis)",
        "deliver_to": "místo dodání, dodací adresa, příjemce, adresa dodání, místo určení, místo vykládky,"
        " konečný příjemce, doručit na",
        "balances": "počáteční zůstatek, konečný zůstatek, zůstatek, starý zůstatek, nový zůstatek,"
        " zůstatek ke dni, předchozí zůstatek, zůstatek na konci, zůstatek k, stav účtu, disponibilní zůstatek,"
        " saldo",
        "account": "majitel, období, majitel účtu, číslo výpisu, popis transakce, valuta, datum zaúčtování,"
        " účet číslo, výpis č, obrat, obraty, úvěrový limit, název účtu, typ transakce, vlastník účtu, příchozí,"
        " odchozí, datum provedení, protiúčet",
        "debit_credit": "má dáti, dal, kredit, debet, připsáno, odepsáno, příjem, výdej, na vrub, ve prospěch,"
        " příjmy, výdaje",
        "ageing": "do splatnosti, 1-30 dní, 30 dní, 60 dní, 90 dní, nad 90 dní, po splatnosti, 0-30 dní, 31-60 dní,"
        " nad 60 dní, dní po splatnosti",
        "net_pay": "čistá mzda, k výplatě, dobírka, částka k výplatě, doplatek mzdy, čistý příjem, výplata na účet,"
        " vyplaceno, na účet, čistý plat",
        "gross_pay": "základní mzda, hrubá mzda, příplatky, prémie, osobní ohodnocení, náhrada za dovolenou,"
        " odměna, příplatek, základní plat, měsíční mzda, hrubý příjem, přesčas, hodinová mzda, hrubá mzda celkem,"
        " dovolená, hrubý plat, náhrada mzdy",
        "deductions": "sociální pojištění, zdravotní pojištění, záloha na daň, srážky, daň z příjmu,"
        " sleva na poplatníka, sleva na dani, srážka, soc. pojištění, zdr. pojištění, důchodové pojištění,"
        " záloha daně, pojistné, daňové zvýhodnění, záloha na daň po slevě, srážky celkem, stravenky",
        "employee": "zaměstnanec, osobní číslo, odpracované hodiny, zaměstnavatel, rodné číslo, os. číslo,"
        " odpracováno, odpracované dny, zaměstnankyně, pracovní poměr, měsíc, pracovní zařazení,"
        " zdravotní pojišťovna, odpracováno hodin, fond pracovní doby, funkce, pozice, jméno, úvazek",
        "subject": "věc, naše značka, vaše značka, přílohy, příloha, č. j, č.j, vyřizuje, předmět",
        "mail_header": "od, komu, odesláno, předmět, kopie, přeposlaná zpráva, příloha, datum, přílohy, pro",
        "form_blank": "jméno, příjmení, jméno a příjmení, adresa, datum narození, telefon, podpis, datum,"
        " rodné číslo, e-mail, bydliště, trvalé bydliště, příjmení a jméno, psč, obec, žadatel, trvalý pobyt, titul,"
        " v, dne, číslo účtu, místo narození, státní občanství, firma, podpis žadatele",
        "report_heads": "úvod, zjištění, závěr, doporučení, závěr a doporučení, shrnutí, výsledky, hodnocení,"
        " závěry, usnesení, opatření, body jednání, přehled, metodika, souhrn, program jednání, úkoly, průběh,"
        " výsledek, zjištěné závady, průběh jednání, nálezy, cíl, popis, závady, rozbor, účel, výhled, stav",
        "report_by": "zpracoval, zpracovala, datum prohlídky, přítomni, omluveni, zapsal, zapsala, revizní technik,"
        " období, vypracoval, vypracovala, přítomní, stav ke dni, ke dni, provedl, účastníci, kontrolu provedl,"
        " předsedající, datum kontroly, autor, k datu, sestavil, datum revize, ověřil, řídil, datum zkoušky",
        "person": "příjmení, jméno, jména, pohlaví, státní občanství, datum narození, místo narození, platnost do,"
        " vydal, číslo dokladu, datum vydání, trvalý pobyt, rodné číslo, surname, given names, číslo průkazu,"
        " vydáno, platí do, druh pobytu, druh povolení, národnost, pas č, kód státu, typ, skupiny, skupina,"
        " platnost, číslo pasu, kým vydán, podpis držitele, úřad, datum platnosti, jméno (jména)",
        "offer": "platnost nabídky, nabídka platí, nabídka č, platnost, číslo nabídky, nabídka platí do,"
        " platnost do, cena nabídky",
        "referring": "dle, podle",
    },
    phrases={
        "payment_due": "splatnost, do * dnů, prosíme uhraďte, úhradu proveďte, fakturujeme vám, fakturujeme,"
        " dovolujeme si vám fakturovat",
        "till": "děkujeme za nákup, děkujeme za návštěvu, přijďte zas, nashledanou, na shledanou, uschovejte,"
        " děkujeme vám za, těšíme se na, hezký den, děkujeme",
        "received_sum": "přijato od, převzal jsem, přijal jsem, zaplaceno v hotovosti, potvrzuji přijetí,"
        " v hotovosti, obdržel jsem, potvrzuji převzetí, přijali jsme",
        "credit_sum": "ve váš prospěch, bude vrácen*, vrátíme, bude započten*, bude poukázán*, poukážeme,"
        " přeplatek, zašleme na váš účet, na účet odběratele, započteme",
        "corrects_invoice": "k faktuře, opravujeme fakturu, oprava základu, původní fakturu, storno faktury,"
        " k dokladu, k daňovému dokladu, ruší fakturu",
        "ordering": "objednáváme u vás, objednáváme, prosíme o dodání, prosíme o potvrzení, žádáme o dodání,"
        " prosíme dodejte, potvrďte objednávku, potvrďte přijetí, na fakturu uveďte, na faktuře uveďte,"
        " uvádějte číslo objednávky, potvrďte prosím, prosíme potvrďte, potřebujeme, pošlete, dovezte",
        "confirms_order": "přijali jsme vaši objednávku, obdrželi jsme vaši objednávku,"
        " potvrzujeme vaši objednávku, děkujeme za vaši objednávku, vaši objednávku, potvrzujeme přijetí,"
        " děkujeme za objednávku, potvrzujeme objednávku",
        "goods_received": "zboží převzal, bez závad, v pořádku převzal, faktura bude, fakturu zašleme,"
        " faktura následuje, převzal v pořádku, nejde o fakturu, není fakturou, zboží bylo převzato, v pořádku",
        "parties": "smluvní strany, smluvními stranami, dále jen, uzavřená podle, objednatel, zhotovitel,"
        " pronajímatel, nájemce, prodávající, kupující, zaměstnavatel, zapůjčitel, vydlužitel, obě strany,"
        " každá ze stran, věřitel, dlužník, uzavřeli, uzavírají, smluvních stran, každá strana, poskytovatel, mezi",
        "clause_words": "předmět smlouvy, závěrečná ustanovení, smluvní pokuta, výpovědní, výpovědní doba,"
        " nabývá účinnosti, občanského zákoníku, zavazuje se, se zavazuje, doba nájmu, odpovědnost, mlčenlivost*,"
        " účinnosti, občanský zákoník, na dobu neurčitou, na dobu určitou, zůstávají beze změny, důvěrn*, zavazují,"
        " platnosti, vypovědět, jistota, kauce, úrok, zkušební doba, zákoníku práce, beze změny",
        "signed_by_parties": "dnem podpisu, ve dvou vyhotoveních, podpisy smluvních stran, podpisem obou,"
        " dvou stejnopisech, za objednatele, za zhotovitele, stejnopis*",
        "mail_header": "původní zpráva, přeposlaná zpráva, v příloze, posílám v příloze, přeposílám, zasílám,"
        " v příloze zasílám",
        "salutation": "vážen*, mil*, dobrý den, drah*, ahoj *",
        "closing": "s pozdravem, s úctou, děkuji, srdečně, se srdečným pozdravem, s přátelským pozdravem,"
        " hezký den, zdraví",
        "letter_prose": "sdělujeme vám, oznamujeme, dovolujeme si, v odpovědi na, děkujeme za váš, prosíme,"
        " obracíme se, upozorňujeme, dosud nebyl*, neevidujeme úhradu, je po splatnosti, žádáme vás, vyzýváme,"
        " oznamuji, posílám, rád bych, ráda bych, bohužel, v opačném případě, neobdrželi, podávám výpověď,"
        " odpovídáme, chtěl bych",
        "fill_in": "vyplňte, hůlkovým písmem, čitelně, vyplňte čitelně, vyplní, tiskacím písmem",
        "tick": "zaškrtněte, nehodící se, označte, křížkem, vyberte",
        "office_use": "záznamy úřadu, vyplní úřad, pro úřední, úřední záznamy, vyplní škola, vyplní zaměstnavatel,"
        " nevyplňujte, úřední záznam",
        "declares": "prohlašuji, souhlasím, žádám o, čestně prohlašuji, beru na vědomí, potvrzuji, zmocňuji,"
        " údaje jsou pravdivé, uděluji souhlas, opravňuji",
        "meeting": "schůze, příští schůze, jednání, jednohlasně, příští porada, schválil, porada, rada,"
        " zastupitelstvo, usnesení, výbor, úkol",
        "report_prose": "bylo zjištěno, byla provedena, doporučujeme, oproti, ve srovnání, procent, meziročně,"
        " vzrostl*, klesl*, byly nalezeny, bylo provedeno, kontrola, prohlídka, v průměru, měření,"
        " ve sledovaném období, byly zjištěny, nebyly zjištěny, byl proveden, revize, v roce, loni, zaznamenáno,"
        " naměřen*, vyhovuje",
        "offer": "nabízíme vám, nabídka je platná, platí do, nezávazn*, není daňovým dokladem, nabídka platí,"
        " není daňový doklad, předem, zálohu, na základě vaší poptávky, dovolujeme si vám nabídnout, ceny platí,"
        " před odesláním, pro celní účely, platnost nabídky, nejedná se o daňový doklad, po zaplacení",
        "no_invoice": "není faktura, není fakturou, nejedná se o fakturu, faktura bude, fakturu zašleme,"
        " není daňovým dokladem",
    },
)
