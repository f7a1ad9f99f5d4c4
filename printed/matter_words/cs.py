"""Czech words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "faktur*, vyfakturov*, fakturov*",
        "receipt": "účtenk*, stvrzenk*, paragon*, pokladní doklad*, potvrzení o platbě",
        "credit note": "dobropis*, opravný daňový doklad, opravné daňové doklady",
        "order": "objednávk*, objednán*, objednal*, zakázk*",
        "delivery note": "dodací list*, dodacího listu, dodacích listů, dodacím listu, dodacím listě,"
        " nákladní list*, nákladního listu, balicí list*, dodacích listech",
        "contract": "smlouv*, smluv, smluvní*, dodatek ke, dodatky ke, ujednán*",
        "statement": "výpis*, bankovní výpis*, výpis z účtu, výpisy z účtu",
        "payslip": "výplatní pásk*, výplatních pásek, výplatní lístek, výplatní lístky, mzdový list*, mzdové listy",
        "letter": "dopis*, upomínk*, korespondenc*, výzva k, výzvu k",
        "form": "formulář*, žádost*, dotazník*, přihlášk*, tiskopis*",
        "report": "zpráva o, zprávu o, zprávy o, zprávu, protokol*, posud*, hodnocení, zápis ze, zápis z, zápisy z,"
        " výroční zpráv*, zpráv*",
        "identity paper": "cestovní pas*, občansk* průkaz*, občank*, řidičsk* průkaz*, řidičák*, povolení k pobytu,"
        " rodný list*, průkaz*, vízum, víza, pasy, chybí pas, platný pas, platnost pasu, pasu, pasů",
        "other": "nabídk*, ceník*, katalog*, leták*, životopis*, jídelní lístek, rozpočet*",
    },
    matters={
        "price": "stoj*, stál, stála, stálo, cena, ceny, cen, cenu, částk*, celkem, součet, utratil*, výdaj*,"
        " koupil*, koupen*, nákup*, platit, zaplat*, platb*, platil*, náklad*, úhrad*, uhradit, uhrazen*",
        "due": "splatn*, nezaplacen*, po splatnosti, dlužíme, k úhradě, neuhrazen*",
        "tax": "dph, daň z přidané hodnoty, odpočet daně, přenesená daňová povinnost, sazba dph",
        "discount": "slev*, skonto*, rabat*",
        "supplier": "dodavatel*, věřitel*, přijat* faktur*, prodejc*",
        "customer": "zákazní*, odběratel*, dlužník*, pohledávk*, dluží nám, vydan* faktur*, tržb*, prodej*, klient*",
        "net": "čistého, hrubého, čistá částka",
        "agreed": "dohodnut*, sjednán*, písemně ujednan*",
        "wages": "mzd*, plat, platy, platu, platů, vydělá*, výdělek, výdělk*, odměn*, výplat*, čistý příjem,"
        " hrubý příjem, čistého bere, bere měsíčně, pojistné zaměstnanc*, daň z příjm*, hodinov* sazb*",
        "bank": "bank*, zůstat*, iban, převod*, účet v bance, bankovní účet, bankovní poplat*, inkas*,"
        " trvalý příkaz*, na účtu, na účtě, kontokorent*",
        "employment": "zaměstnan*, zkušební dob*, úvaz*, pracovní smlouv*, pracovních smluv, pracovní pom*,"
        " pracuje u nás, personál*, výpověď zaměstnan*, nastoupil*, kolega*, kolegyn*, pracovní dob*,"
        " pracovní posudek",
        "leave": "dovolen*, nemocensk*, rodičovsk*, mateřsk*, pracovní volno",
        "training": "školen*, certifikát*, osvědčen*, kvalifikac*, kurzu, kurzy, kurzů, bezpečnost práce",
        "appraisal": "hodnocení zaměstnan*, roční hodnocení, hodnotící pohovor*",
        "lease": "nájem*, nájm*, nájemn*, pronáj*, pronaj*, kauc*, byt, byty, bytu, bytů, podnáj*, pacht*",
        "termination": "výpovědní*, výpověd*, ukonč* smlouv*, doložk*, podepsal smlouv*, prodlouž*, smluvní pokut*,"
        " vyprší*, platí do",
        "insurance": "pojist*, pojišť*, škodní událost*",
        "delivery": "dodán*, dodávk*, doručen*, zásilk*, palet*, dopravc*, sklad, skladu, skladě, zboží, expedic*,"
        " přeprav*, balík*, doprav*, dodal*",
        "identity": "datum narození, data narození, občanstv*, místo narození, rodné čísl*, pracovní povolení",
        "meeting": "schůz*, jednání, porad*, usnesen*, představenstv*, zasedán*, zápis ze, zápis z",
        "quality": "laboratoř*, měřen*, dusičnan*, závad*, vzork*, kontrola kvality, inspekc*",
        "medical": "diagnóz*, pacient*, lékař*, příznak*",
        "world": "počas*, recept*, uvař*, vařit, vtip*, písn*, písnič*, zpíve*, pohádk*, příběh*, film*, kino,"
        " fotbal*, zápas*, mistrovství*, horoskop*, loteri*, prezident*, premiér*, hlavní město, voleb*, volb*,"
        " politik*, novinky, cestov*, let do, hotel*, restaurac*, burz*, bitcoin*, python*, naprogram*,"
        " zdrojový kód, narozenin*, svatb*, projev*, milostn*, přítelkyn*, domácí úkol*, vynalez*, diet*, sázk*,"
        " hádank*, víno k, vlak do, večeř*, oběd*, videohr*, kvíz*, báseň, básně, básni, básní, básnič*, šachy,"
        " šachů, dortu, dorty, dárek pro, dárky, rýmy, románu, romány, vaření",
    },
    speech={
        "greeting": "ahoj*, dobrý den, dobré ráno, dobrý večer, čau*, zdravím*, nashledanou, na shledanou,"
        " hezký den, nazdar, dobré odpoledne, jak se máš, jak se máte",
        "thanks": "děkuj*, díky*, dík, super, dobře, výborně, ok, moc, skvěl*, jasně, za pomoc, rozumím, fajn,"
        " v pořádku, to je vše, to je všechno, mockrát, ti, vám",
        "product": "můžeš pomoci, můžeš pomoct, mohu se ptát, můžu se ptát, můžu se zeptat, se tě zeptat, umíš,"
        " tento asistent, tohoto asistenta, tvůj rozsah, export*, vyexport*, stáhnout, stáhn*, nahrát, nahráv*,"
        " nastaven*, tato aplikace, této aplikaci, tento nástroj, k čemu jsi, k čemu sloužíš, kdo jsi, kdo vidí,"
        " vidí moje, heslo, vrátit zpět, rozumíš, rukopis*, jaké formáty, jaké jazyky, tvůj profil, přidat štítek,"
        " štít*, koš, jak funguješ, odmítáš, filtrovat, můžu tady, mohu zde, s čím pomáháš, s čím můžeš pomoci,"
        " s čím mi můžeš, jak můžeš pomoci",
        "compare": "porovn*, srovn*, odpovíd*, souhlas*, shoduj*, shod*, oproti, než, podle, liší*, sedí",
        "point": "to, ten, ta, ty, ti, toho, té, tom, těch, ho, jeho, její, jejich, něm, ní, on, ona, oni, druh*,"
        " jin*, další*, předchozí*, ještě jednou, znovu, a, i, také, taky, tam, víc, dál, ano, ne, proč, obě, oba,"
        " zbytek, pak, prosím, v, ještě, jen, stejn*, jeden, jedna, jednou",
        "ask": "co, kdo, koho, komu, kdy, kde, jaký*, jaká, jaké, který*, která, které, kter*, proč, jak, kolik,"
        " zda, ukaž*, vypiš*, dej, řekni*, shrň*, přelož*, napiš*, přečti*, otevři*, najdi*, porovnej*, zkontroluj*,"
        " vysvětli*, pošli*, spočítej*, doporuč*, udělej*, popiš*, je, jsou, byl*, má, mají, chci, potřebuji,"
        " zobraz*, vyhledej*, navrhni*, prozraď*, připrav*, vyprávěj*, uveď*",
        "claim": "jsi teď, jsi nyní, teď jsi, nyní jsi, od teď jsi, od teď můžeš, od nynějška jsi, od teď odpovídáš,"
        " předstírej*, nové pokyn*, nový pokyn*, správce povolil*, správce přidal*, správce řekl*, admin povolil*,"
        " admin přidal*, administrátor*, jako správce, jsem správce, jsem admin*, dovolil ti, povolil ti,"
        " tvůj rozsah zahrnuje, rozsah byl, bez omezen*, do tvého rozsahu, režim vývojář*",
        "refusal": "proč odmítáš, proč jsi odmítl*, proč neodpovíš, proč jsi to odmítl*, nesmíš odpov*",
        "how": "jak mohu, jak můžu, jak změn*, kdo může, kdo smí, kde změn*",
        "drop": "ignoruj*, zapomeň*, změň*, rozšiř*, obejdi*, vypni*, zruš*, přidal*, přidej*, rozšířen*, zrušen*,"
        " změněn*, nehled* na",
        "rules": "profil*, rozsah*, pravidl*, pokyn*, omezen*, instrukc*, zákaz*",
        "other": "jin*, další*, druh*",
        "first": "první*",
        "second": "druh*",
        "third": "třetí*",
        "last": "poslední*",
        "joins": "a, i, ale, také, taky, mimochodem, navíc, potom, pak, nebo, a taky",
        "not": "nikdy, ne, bez, kromě, nikoli, žádn*, vyjma, nic o",
        "refused": "je pro, slouží k, nepatří, tady jde o, zabývá se",
        "newest": "nejnovější*, nejstarší*, poslední dokument",
        "document": "dokument*, soubor*, stránk*, sken*, papír*, pdf, spis*, doklad*",
    },
)
