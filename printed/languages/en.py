"""English."""

from printed.language import Language

LANGUAGE = Language(
    code="en",
    months="jan january, feb february, mar march, apr april, may, jun june, jul july, aug august, sep sept"
    " september, oct october, nov november, dec december",
    weekdays="monday, tuesday, wednesday, thursday, friday, saturday, sunday",
    date_joiners="of",
    weeks="week wk cw w",
    quarters="quarter q",
    halves="half-year half h hy",
    ordinals="st nd rd th",
    numbers="1 one a an, 2 two, 3 three, 4 four, 5 five, 6 six, 7 seven, 8 eight, 9 nine, 10 ten, 11 eleven, 12"
    " twelve, 13 thirteen, 14 fourteen, 15 fifteen, 16 sixteen, 17 seventeen, 18 eighteen, 19 nineteen, 20 twenty,"
    " 30 thirty, 40 forty, 50 fifty, 60 sixty, 70 seventy, 80 eighty, 90 ninety, 100 hundred",
    quarter_numbers="1 first, 2 second, 3 third, 4 fourth",
    positions="5 fifth",
    latest="last latest newest most_recent",
    earliest="oldest earliest",
    pointers="this that it",
    definitions="schema schema schemas, prompt prompt prompts, tag tag tags label labels",
    minus="minus negative",
    minor_units="cent cents penny pence",
    number_joiners="and",
    scales="thousand thousand, lakh lakh lakhs lac lacs, million million millions mio mln mn, crore crore crores,"
    " billion billion billions bn, trillion trillion trillions",
    debits="DR Dr OD",
    credits="CR Cr",
    currencies="EUR euro euros, GBP pounds sterling, USD/CAD/AUD/NZD/SGD/HKD dollar dollars, JPY yen",
    units="% % percent per_cent pct, day day days, week week weeks, month month months, year year years, hour hour"
    " hours, minute minute minutes, kg kg kilogram kilograms kilos kilo, g gram grams, t tonne tonnes, km km"
    " kilometre kilometres kilometer kilometers, m metre metres meter meters, cm cm, mm mm, m² m² sqm, m³ m³"
    " cbm, l litre litres liter, ml ml, kWh kwh, MWh mwh, kW kw",
    unit_adjectives="calendar working business full whole consecutive more",
    yearly="annum",
    each="per each every",
    times="once twice times",
    stopwords="the of is was and to for by on with are has not it its at per from or this that these those a an in as"
    " be been being were do did does what which who whom whose when where why how our we i my you your they"
    " he she his"
    " her their there here have had all but can could would should shall must might may will also both each"
    " every other"
    " another none nothing done into one if then so us",
    homographs="van son hat die door come dove met may mar mars set ago will us",
    yes="yes true",
    no="no false",
    negations="not no cannot never neither nor without none",
    denials="refus deny denie declin reject exclu except lack fail miss omit withh void nothing nobody beyond",
    limits="later earlier more less fewer than only just",
    exceptions="before after until unless except",
    passed_over="longer yet ever them",
    more="increas rise rising rose risen grew grow higher raise",
    less="decreas fell falls fallen drop declin lower reduc shrank",
    minimum="no_less_than not_less_than no_fewer_than not_fewer_than at_least more_than over above exceeding exceeds"
    " minimum_of > ≥ >=",
    maximum="no_more_than not_more_than at_most up_to less_than fewer_than under below not_exceeding not_exceed"
    " maximum_of < ≤ <=",
    minimum_behind="or_more and_more at_least",
    maximum_behind="or_less or_fewer at_most",
    titles="mr mrs ms miss messrs dr prof",
    approved="signed countersigned counter-signed approved authorised authorized written reviewed prepared"
    " confirmed certified witnessed agreed accepted ordered requested issued checked received verified released",
    approves="signed countersigned counter-signed approved authorised authorized wrote reviewed prepared"
    " confirmed certified witnessed agreed resigned signs approves works lives asks charges pays paid owes demands",
    has="has had have also then",
    by="by",
    signers="approver signer signatory author contact contact_person manager director owner buyer seller"
    " tenant landlord clerk recipient sender employee witness",
    approvals="signature approval consent permission initials",
    paid_to="paid_to billed_to sent_to addressed_to delivered_to signature_of approval_of consent_of",
    asks="ask contact call tell inform notify consult email write_to speak_to talk_to speak_with talk_with turn_to",
    reports="according amount date number amounts amounted stand stands stood state states stated say says said"
    " show shows showed shown list lists listed give gives given gave name names named mention mentions"
    " mentioned read reads record records recorded report reports reported note notes noted indicate"
    " indicates indicated specify specifies specified contain contains contained include includes included"
    " cost costs come comes came run runs make makes made equal equals figure value reference text word"
    " words sentence quote quotes quoted find found see seen printed entry there thus therefore also still"
    " here below above following as well that namely detail details information fact please however"
    " already currently about than because since while within during just only very more most same such"
    " these those itself they them it's that's there's i'm you",
    mentions="name names mention mentions say says state states contain contains list lists provide provides set"
    " sets require requires has have",
    parties="tenant tenant tenants lessee renter, landlord landlord landlords lessor, buyer buyer buyers"
    " purchaser purchasers, seller seller sellers, lender lender lenders creditor creditors, borrower"
    " borrower borrowers debtor debtors, employer employer employers, employee employee employees worker"
    " workers, customer customer customers client clients, supplier supplier suppliers vendor vendors,"
    " contractor contractor contractors, insurer insurer insurers, insured insured policyholder, carrier"
    " carrier carriers, owner owner owners, licensor licensor, licensee licensee, principal principal,"
    " agent agent agents, sender sender senders, recipient recipient recipients addressee, bank bank"
    " banks, plaintiff plaintiff, defendant defendant, payer payer, payee payee",
    meanings="total total totals sum sums altogether together combined, rent rent rents rental, deposit deposit"
    " deposits, pay pay pays paid payment payable, sign sign signs signed signature, deliver deliver"
    " delivers delivered delivery, deadline deadline, terminate terminate terminates terminated"
    " termination cancel cancels cancelled cancellation, interest interest, penalty penalty, roof roof,"
    " damage damage damages, insurance insurance, warranty warranty guarantee, heating heating, loan loan"
    " loans, fee fee fees charge charges",
    directions="by from since to with for against than of on upon towards toward through between under",
    before="before until till prior ahead earlier preceding",
    after="after following later afterwards subsequent",
    universals="all every each always any only both everyone everybody everything",
    permits="may can could might",
    obliges="must shall should obliged required obligated",
    conditions="if unless except provided without subject consent",
    plans="will agree agrees intend intends plan plans promise promises undertake undertakes offer offers"
    " propose proposes request requests would",
    derived="s es ed d e ing ment ments al als ation ations ion ions able ance ence ure y ies ied ly",
    terms="net payment* payable pay paid due terms settle* remit*",
    pages="page pages",
    lines="line lines",
    rows="row rows item items entry entries position record records",
    beside_rows="below above under beneath next_to behind preceding following succeeding beside excluding all_but"
    " other_than apart_from",
    row_joiners="to till until through thru up_to",
    page_joiners="of",
    list_joiners="and to",
    documents="document documents file files page pages invoice invoices contract contracts agreement"
    " agreements lease"
    " leases receipt receipts report reports letter letters statement statements",
    sources="source sources see cf ref reference references citation citations proof proofs evidence also and",
    offers="shall_i should_i shall_we should_we may_i can_i could_i would_you do_you_want want_me",
    suggestions="i_can i_could i_would i_may we_can we_could you_can you_could you_may you_might if_you_like"
    " if_you_want i_suggest i_propose i_recommend put_a add_a use_a create_a set_a give_it call_it"
    " name_it",
    examples="such_as like e.g for_example for_instance say called named titled",
    abbreviations="mr mrs ms dr prof st vs ca approx",
    numbered="no num art sec fig pp vol ch para tel ext ref inv cl pos",
    clauses="article section clause schedule annex appendix",
    kinds={
        "Receipt": "receipt, cashier, change, cash, tendered, thank you",
        "Credit note": "credit note",
        "Invoice": "invoice",
        "Purchase order": "purchase order",
        "Delivery note": "delivery note, packing slip",
        "Quote": "quotation, quote",
        "Statement": "statement",
        "Contract": "contract, agreement",
    },
    till_words="receipt cashier change",
    fields={
        "vendor": "vendor, supplier, seller, sold by, issued by, issuer, billed by, supplier name, vendor"
        " name, seller name",
        "company": "company name, merchant, store name",
        "address": "address",
        "customer": "bill to address, bill to, billed to, invoice to, invoiced to, sold to, customer name,"
        " billing address,"
        " invoice address, recipient, customer, client, buyer",
        "invoice_number": "invoice number, invoice no, invoice nr, invoice id, invoice #, invoice num, invoice"
        " reference, invoice ref, tax invoice number, tax invoice no, inv no, bill number,"
        " bill no; invoice",
        "receipt_number": "receipt number, receipt no, receipt #, bill no; doc no, document no, cash inv no, cb #,"
        " ticket no, invoice no, invoice #",
        "credit_note_number": "credit note number, credit note no, credit note #, credit memo no; credit note",
        "invoice_date": "invoice date, date of invoice, date of issue, issue date, issued on, issued, bill date,"
        " billing date, tax point, invoice dated; date, dated",
        "date": "date of issue, issue date, receipt date, transaction date, document date, date; dated",
        "due_date": "payment due date, due date, payment due, pay by, payable by, payment date, please pay"
        " by, due on, due by, payment deadline; due",
        "delivery_date": "delivery date, date of delivery, service date, date of supply, supply date, ship date,"
        " shipping date, date of service",
        "order_date": "order date, date of order, purchase date",
        "po_number": "purchase order number, purchase order no, purchase order, po number, po no, p.o. number,"
        " p.o. no, customer order no, your order no, your order number, your order, order number,"
        " order no, order #, order id, order ref, order reference, your reference, your ref"
        "; p.o., po",
        "customer_number": "customer number, customer no, customer id, customer account, client number, client no,"
        " client id, account number, account no, customer code",
        "tax_id": "vat registration, vat registration number, vat registration no, vat reg number, vat"
        " number, vat no, vat"
        " id, vat reg no, vat reg, tax identification number, tax registration number, tax id,"
        " tax no, tax number, gst registration number, gst registration no, gst id no, gst id,"
        " gst reg, gst reg no, gst number, gst no, gstin, abn, ein, tin",
        "registration_number": "company registration number, company registration no, company number, company no,"
        " company reg no, registration number, registration no, registered number, reg no, co reg"
        " no",
        "iban": "iban, iban no, iban code",
        "bic": "bic, swift, swift code, bic code, bic/swift, swift/bic",
        "currency": "currency, invoice currency",
        "subtotal": "subtotal, sub total, net total, total net, net amount, total excl tax, total excluding"
        " tax, total excluding vat, total excluding gst, total excl vat, total excl gst, total ex"
        " vat, total ex gst, amount before tax, total before tax, taxable amount, taxable value,"
        " total without vat, net value, total sales excluding gst; net, goods total, items total",
        "tax_rate": "tax rate, vat rate, gst rate, vat, tax, gst",
        "tax": "total tax, total gst, total vat, tax amount, vat amount, vat total, tax total, sales"
        " tax, gst amount, value added tax; tax, vat, gst",
        "discount": "total discount, discount, rebate",
        "shipping": "shipping and handling, postage and packing, shipping cost, shipping costs, delivery"
        " charge, delivery cost, shipping, postage, freight, carriage",
        "rounding": "rounding adj, rounding adjustment, rounding",
        "total": "grand total, total payable, total due, total amount due, amount due, amount payable,"
        " total to pay, amount to pay, balance due, please pay, to pay, total sales inclusive of"
        " gst, total sales inclusive gst, total inclusive of gst, total inclusive gst, total incl"
        " gst, total incl tax, total incl vat, total including vat, total including tax, total"
        " inc gst, total inc vat, gross total, gross amount, total gross, nett total, invoice"
        " total, invoice amount, total invoice, total price; total amount, amount total, total"
        " sales, total rm; total; net to pay",
        "amount_paid": "amount paid, total paid, payment received, less paid, deposit paid",
        "payment_method": "payment method, method of payment, payment type, payment mode, paid by, payment by",
        "payment_terms": "payment terms, terms of payment, payment conditions, terms",
        "cashier": "cashier, served by",
        "email": "e-mail, email, e-mail address",
        "phone": "telephone, phone, tel",
    },
    passed_labels={
        "address": r"e\W?mail|web|invoice address|billing|delivery|ship",
        "customer": r"number|\bno\b|\bid\b|nr|copy|\bref|code|service|support|vat|order|account|client care",
        "invoice_number": r"date|due|bill to|invoice"
        " to|total|amount|address|currency|original|relates|customer|period|"
        r"payment of|thank",
        "receipt_number": r"date:",
        "credit_note_number": r"date|total|amount|original|relates",
        "invoice_date": r"due|deliver|order date|service date|pay|ship|supply|birth|expir|valid|print",
        "date": r"due|expir|valid|birth|pay by|deliver|ship",
        "due_date": r"amount|balance|total|past due|overdue",
        "order_date": r"due",
        "po_number": r"\bdate\b|p\.?o\.? box|order form|order total|value",
        "tax_id": r"amount|rate|exclu|inclu|customer|client|your|invoice no",
        "tax_rate": r"\bno\b|number|\breg\b|\bid\b",
        "tax": r"exclu|inclu|excl|incl|total sales|summary|invoice|\bid\b|\breg\b|\bno\b|code|number|before|"
        r"without|net|date|point|rate:|exempt|registration",
        "discount": r"disc:|early|before",
        "subtotal": r"to pay|payable|days|price|terms|weight|internet|net ?30",
        "total": r"sub\W*total|qty|quantity|\bexcl|\bex\b|supplies|total\W*(gst|tax|vat|disc|saving|items?\b|"
        r"net\b)|total net\b|summary|weight|hours|carried|brought|before|without|net total|total paid|"
        r"prior|previous|pages|due date|taxable|points",
        "payment_terms": r"conditions$",
        "shipping": r"address|method|date|terms|to:",
    },
    columns={
        "position": "pos, position, line, line no, item no, no, #, sl no, s no, s no., sr no",
        "sku": "sku, article no, article number, article code, item number, item code, product"
        " code, product no, product id, part no, part number, stock code, catalogue no, asin, cat"
        " no; code, item no, ref",
        "description": "description of goods, goods and services, product description, item description, service"
        " description, description of service, product name, item name, description, goods;"
        " details, particulars, service, services, product, products, article, item, items,"
        " activity, work; code desc, qty item, name, concept",
        "quantity": "quantity, qty, qnty, quant, hours, hrs, no of units; pcs, units, pieces, ordered, days",
        "unit": "unit of measure, unit, uom, u/m, per",
        "unit_price": "unit price, price per unit, price/unit, price each, unit cost, unit rate, net price,"
        " price net, item price, hourly rate, s price, u p, u/price, rate, price, price per"
        " piece, unit net price, price excl; each, cost, charge, fee",
        "discount": "discount, disc, disc %",
        "tax_code": "vat rate, tax rate, gst rate, vat %, tax %, vat code, tax code, vat, tax, gst",
        "tax": "vat amount, tax amount, gst amount, vat sum",
        "amount": "line total, total amount, amount total, total price, price total, net amount, amount"
        " net, ext price, extended price, extension, amount, total, sum, net total, total net,"
        " net value, line amount, total excl, total incl, price incl, sub total; value, subtotal,"
        " credit, charges, net; gross, gross amount, total gross",
    },
    label_words="number no nr num n, quantity qty qnty quant pcs, amount amt, tax vat gst taxes, subtotal net, date"
    " dated, invoice inv bill, due payable, order po purchase, description desc item, customer client buyer"
    " billed recipient, vendor supplier seller merchant company store shop, phone tel telephone fon mobile,"
    " address addr, sku article, email mail, currency currency, summary summary abstract overview",
    counts="quantity qty count number no nr num id code year month days hours hour minutes weight kg rate percent"
    " percentage page pages pieces units position index",
    carried="carried brought b/f b/d c/f c/d previous_balance opening_balance",
    sum_rows="total subtotal sub-total grand_total",
    totals="*total* sum net nett gross balance due payable amount",
    adjustments="tax vat gst sst *discount* shipping freight postage handling deposit paid payment cash"
    " change rounding"
    " surcharge service_charge tip credit",
    table_ends="total* subtotal* grand_total* net_total* nett_total* rounding* tax* vat* iban*",
    company_forms="ltd limited inc llc corp corporation plc co pty llp incorporated",
    shops="enterprise company trading restaurant pharmacy mart supermarket works hotel",
    streets="lot no street st road rd avenue ave lane floor p.o._box po_box",
    address_ends="tel te1 phone fax gst vat tax taxinvoice invoice receipt bill doc cash date reg email www"
    " time cashier company_no",
)
