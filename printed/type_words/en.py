"""English words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "invoice, tax invoice, vat invoice, sales invoice, commercial invoice, final invoice,"
        " deposit invoice, interim invoice, bill, fee note, corrected invoice, self-billing invoice, invoice copy,"
        " application for payment, service invoice, freight invoice, utility bill, electricity bill, invoices",
        "receipt": "receipt, sales receipt, cash receipt, rent receipt, payment receipt, till receipt,"
        " customer copy, merchant copy, cardholder copy, official receipt, receipt of payment, donation receipt,"
        " card sale, proof of purchase, taxi receipt, parking receipt, cash sale, simplified invoice, fuel receipt",
        "credit note": "credit note, credit memo, credit memorandum, credit, corrective invoice, credit invoice,"
        " cancellation invoice, refund note, sales credit, cancelling invoice, credit advice note, reversal invoice",
        "order": "order, purchase order, order form, sales order, order confirmation, order acknowledgement,"
        " acknowledgement of order, work order, standing order form, call-off order, order no, repeat order,"
        " blanket order, confirmation of order, release order, purchase requisition, booking order",
        "delivery note": "delivery note, despatch note, dispatch note, packing slip, packing list, delivery slip,"
        " waybill, consignment note, goods despatch note, delivery docket, proof of delivery, bill of lading,"
        " shipping note, advice note, picking list, collection note, delivery ticket, air waybill,"
        " goods received note, returns note",
        "contract": "agreement, contract, service agreement, services agreement, lease, lease agreement,"
        " tenancy agreement, employment contract, contract of employment, contract of sale, loan agreement,"
        " non-disclosure agreement, confidentiality agreement, amendment, addendum, licence agreement,"
        " license agreement, framework agreement, supply agreement, maintenance agreement, hire agreement, deed,"
        " deed of variation, assured shorthold tenancy, memorandum of understanding, consultancy agreement,"
        " terms of engagement, nda, partnership agreement, rental agreement, mutual non-disclosure agreement,"
        " purchase agreement, variation agreement, settlement agreement",
        "statement": "statement, bank statement, account statement, statement of account,"
        " current account statement, credit card statement, savings statement, statement of transactions,"
        " card statement, customer statement, supplier statement, account summary, savings account statement,"
        " portfolio statement, pension statement",
        "payslip": "payslip, pay slip, pay advice, wage slip, salary slip, pay statement, earnings statement,"
        " payroll advice, salary statement, statement of earnings, wages slip, pay stub, monthly pay, pay details",
        "letter": "reminder, payment reminder, final reminder, formal demand, letter before action,"
        " notice of termination, overdue notice, memo, memorandum, cover letter, first reminder, second reminder,"
        " final demand, notice to quit, fwd, fw, letter",
        "form": "application, application form, claim form, registration form, mandate, direct debit mandate,"
        " request form, form, tax return, enrolment form, consent form, expense claim, declaration form,"
        " order of service form, questionnaire, claim, change of address, instruction to your bank, self assessment,"
        " feedback form, booking form, sepa direct debit mandate, accident report form, leave request,"
        " expense claim form, registration, declaration, membership application, complaint form,"
        " power of attorney form, direct debit instruction, standing order mandate",
        "report": "purchase ledger, sales ledger, ledger, register, list, journal, cash book, invoices received,"
        " invoices issued, inventory, report, annual report, inspection report, audit report, monthly report,"
        " minutes, minutes of meeting, meeting minutes, survey, test report, summary report, progress report,"
        " incident report, aged debtors, list of invoices, invoice list, open items list, evaluation, analysis,"
        " review, site report, weekly report, quarterly report, sales report, aged creditors, invoice register,"
        " service report, findings, expense report, stock report, status report, project report,"
        " overview of invoices, invoice journal, laboratory report",
        "identity paper": "passport, identity card, id card, identification card, driving licence, driver license,"
        " driver's license, residence permit, national identity card, driver licence, travel document, visa,"
        " birth certificate, permanent resident card, biometric residence permit, seafarer's identity document,"
        " certificate of identity, refugee travel document, residence card",
        "other": "daily menu, lunch menu, rules of the game, game rules, how to play, events, what's on,"
        " weekly menu, house rules, song sheet, lyrics, crossword, quotation, quote, offer, pro forma invoice,"
        " proforma invoice, pro-forma invoice, estimate, proposal, menu, recipe, certificate, price list, brochure,"
        " curriculum vitae, agenda, programme, catalogue, timetable, poster, flyer, boarding pass, ticket, e-ticket,"
        " pro forma, proforma, tender, warranty certificate, manual, instructions, newsletter, press release,"
        " sales quotation, cost estimate, price offer, shopping list, notice, invitation, voucher, gift voucher,"
        " schedule, rota, to do, checklist, guide, packing instructions, user guide",
    },
    labels={
        "ordinal_clause": "first clause",
        "party_column": "supplier, customer, vendor, client, debtor, creditor, company",
        "invoice_number": "invoice no, invoice number, invoice #, invoice ref, bill no, bill number, inv no",
        "payment_due": "due date, payment due, due, pay by, payable by, please pay by, payment terms,"
        " terms of payment, terms, due on, payment date, tax point",
        "bill_to": "bill to, billed to, invoice to, invoice address, sold to, charge to, billing address, invoiced to",
        "amount_due": "amount due, total due, balance due, invoice total, amount payable, total payable, to pay,"
        " total to pay, please pay, invoice amount, now due, payment due, balance to pay",
        "vat_sums": "vat, sales tax, gst, total excl. vat, total incl. vat, net total, gross total, subtotal,"
        " sub-total, net amount, tax, total net, total vat, total gross",
        "vat_number": "vat no, vat number, vat reg, vat registration, vat reg no, vat id, gst no",
        "bank_details": "iban, bic, swift, sort code, bank details, pay to, bank, account no, account number",
        "cash": "change, cash, cash tendered, tendered, change due, cash paid, change given, card, visa,"
        " mastercard, debit card, visa debit, card payment, contactless, paid by card, amount tendered",
        "till": "till, cashier, served by, operator, table, covers, register, receipt no, trans, ticket no, pump,"
        " you were served by, bar, server, checkout",
        "card_slip": "auth code, authorisation code, approval code, terminal, terminal id, merchant, merchant id,"
        " aid, sale, pan, tid, mid, auth, pan seq, verified by pin, app id, approved",
        "received_sum": "received from, paid by, the sum of, amount received, in payment of, payment received,"
        " received the sum of, for rent, being payment for, received with thanks, received by, sum received, tenant,"
        " landlord, payment method, amount paid, paid in cash, paid on",
        "credit_sum": "credit total, total credit, total credited, amount credited, refund, to be refunded,"
        " refund due, credit amount, amount in your favour, total refund, amount to refund, total in your favour,"
        " amount of credit",
        "corrects_invoice": "original invoice, relates to invoice, against invoice, credits invoice,"
        " reference invoice, re invoice, credit for invoice, ref. invoice, corrects invoice, our invoice,"
        " cancels invoice, for invoice",
        "credit_reason": "reason, reason for credit, returned, goods returned, return, reason for return",
        "wanted_by": "required by, delivery required, deliver by, wanted by, delivery requested,"
        " requested delivery, need by, required date, delivery date, expected delivery, requested delivery date,"
        " dispatch expected, ship by, expected dispatch, delivery week, date required, planned delivery,"
        " estimated delivery",
        "order_party": "supplier, vendor, buyer, ordered by, authorised by, approved by, purchaser, requisitioner,"
        " placed by, cost centre, ordering department",
        "order_sum": "order total, order value, total order, total order value, value of order, net order value",
        "delivered": "ordered, delivered, despatched, dispatched, shipped, qty shipped, qty ordered, back order,"
        " backorder, to follow, outstanding, qty delivered, qty despatched, quantity delivered, picked, packed,"
        " quantity shipped, still to come, qty sent, sent",
        "carriage": "carrier, parcels, pallets, gross weight, net weight, cartons, driver, tracking no, packages,"
        " consignment, vehicle, boxes, haulier, no. of packages, total weight, consignor, consignee, shipper,"
        " delivered by, packed by, picked by, despatch date, dispatch date, ship date, vehicle reg, shipped via,"
        " number of parcels, collected by, weight",
        "goods_received": "received in good condition, goods received, received by, receiver's signature,"
        " customer signature, goods checked, received in good order, signed for, goods received by,"
        " delivery received, received complete, recipient's signature",
        "deliver_to": "deliver to, ship to, delivery address, delivered to, shipping address, site, place of delivery",
        "balances": "opening balance, closing balance, balance brought forward, balance carried forward,"
        " brought forward, carried forward, balance, new balance, previous balance, start balance, end balance, b/f,"
        " c/f, balance b/f, balance c/f, current balance, ending balance, beginning balance, balance outstanding,"
        " balance owed",
        "account": "account holder, statement period, statement date, statement no, account name, sheet, paid out,"
        " paid in, money in, money out, withdrawals, deposits, money paid in, money paid out, overdraft limit,"
        " card limit, credit limit, minimum payment, your account",
        "debit_credit": "debit, credit, debits, credits, dr, cr",
        "ageing": "current, 30 days, 60 days, 90 days, over 90 days, 0-30 days, 31-60 days, 1-30 days, 1 to 30 days",
        "net_pay": "net pay, net salary, take-home pay, take home pay, net wages, net payment, amount paid,"
        " net pay this period, net amount paid",
        "gross_pay": "gross pay, basic pay, gross salary, gross wages, basic salary, overtime, total gross, salary,"
        " total payments, gross earnings, total earnings, earnings, bonus, allowance, hourly rate, holiday pay,"
        " gross, hours, o/t, basic, overtime hours",
        "deductions": "deductions, total deductions, paye, income tax, national insurance, pension,"
        " ni contribution, paye tax, student loan, social security, employee pension, tax paid, medicare,"
        " federal tax, net deductions, union dues, health insurance, pension contribution, ni, tax, net tax",
        "employee": "employee, employee no, works no, ni number, tax code, pay period, payroll no, employer,"
        " pay date, tax period, employee number, ni no, period, department, staff no, hours worked, tax month,"
        " employee id, emp, week, emp no, staff number",
        "subject": "subject, re, our ref, your ref, cc, enc, encl, our reference, your reference, enclosures",
        "mail_header": "from, to, sent, subject, cc, date sent, forwarded by, begin forwarded message, attachment,"
        " attachments",
        "form_blank": "surname, first name, first names, name, address, postcode, telephone, e-mail, email,"
        " signature, date of birth, date, full name, phone, mobile, national insurance number, name of applicant,"
        " applicant, account holder, signed, print name, town, nationality, occupation",
        "report_heads": "summary, findings, results, conclusion, conclusions, recommendations, introduction,"
        " background, executive summary, scope, methodology, observations, actions, decisions, resolved, next steps,"
        " key figures, purpose, method, assessment, discussion, overview, risks, outlook, measures, remarks",
        "report_by": "prepared by, author, inspector, inspected by, date of inspection, reporting period,"
        " report no, present, attendees, apologies, minutes taken by, chair, compiled by, date of visit,"
        " in attendance, surveyor, period covered, status, for, as of, as at, date of report, reporting date,"
        " printed, drawn up by, inspection date, client, tested by, participants, period, chaired by, secretary",
        "person": "surname, given names, given name, nationality, date of birth, sex, place of birth,"
        " date of issue, date of expiry, authority, passport no, document no, height, eye colour, valid until,"
        " issuing authority, expires, expiry date, personal no, type, code, first names, name, licence no,"
        " licence number, dob, exp, iss, class, categories, holder, card no, holder's signature, forenames,"
        " identity no, place of issue, valid to",
        "offer": "valid until, offer valid, quotation valid, quote no, quotation no, validity, offer no, valid for,"
        " quotation for, estimate no, this quotation is valid, price valid until",
        "referring": "as per, per, according to, in accordance with, with reference to, under, pursuant to",
    },
    phrases={
        "payment_due": "within * days, payable within, payment is due, please transfer, days net, pay within",
        "till": "thank you for shopping, thank you for your visit, thanks for your custom, please come again,"
        " thank you for your custom, please retain, keep this receipt, have a nice day, keep for your records,"
        " see you soon",
        "received_sum": "received with thanks, received from, in full payment, payment received, the sum of,"
        " was received, has been paid, received in cash, i have received, paid with thanks,"
        " received on account of rent, being rent, rent for, paid in full, in cash",
        "credit_sum": "credited to your account, in your favour, will be refunded, set against your, we credit,"
        " is credited, offset against, set off against, credit your account, refunded to, credited with,"
        " has been cancelled",
        "corrects_invoice": "relates to our invoice, our invoice no, with reference to invoice, invoice dated,"
        " to invoice, for our invoice, corrects invoice, cancels invoice, cancellation of invoice, refers to invoice",
        "ordering": "please supply, we order, please deliver, we hereby order, please confirm this order,"
        " quote our po, quote this order, we would like to order, place an order, please send us, quote our order,"
        " please ship, confirm receipt of this order, acknowledge this order, please acknowledge, can you send,"
        " please send, send us, we need, could you send, please bring, usual account",
        "confirms_order": "we have received your order, your order is confirmed, we confirm your order,"
        " thank you for your order, your order has been, order has been accepted, confirm the following order,"
        " we have booked your order, confirm your order, we acknowledge",
        "goods_received": "received in good condition, received in good order, goods received, received complete,"
        " checked and received, received the above, received the goods, please check the goods, invoice follows,"
        " not an invoice, invoice will follow, in apparent good order, report shortages, invoice to follow",
        "parties": "hereinafter, the parties, between * and, herein referred to, hereinafter called, made on,"
        " is made between, made between, each party, either party, both parties, the lessor, the lessee,"
        " the landlord, the tenant, the licensor, the licensee, the contractor, the lender, the borrower,"
        " the employer, the employee, disclosing party, receiving party, the provider, the customer shall,"
        " entered into",
        "clause_words": "governing law, governed by, terminate*, termination, notice period, jurisdiction,"
        " confidential*, liability, force majeure, entire agreement, severability, written notice, in writing,"
        " shall, comes into force, in force, remains unchanged, remain unchanged, effective date, breach,"
        " security deposit, interest at, any change must be, signed by both, pays back, becomes payable, lend to,"
        " lends to, without interest, must be in writing, undertakes to, agree as follows",
        "signed_by_parties": "signed for, signed by the parties, for and on behalf of, in witness whereof,"
        " signed in two copies, duly signed, signed as a deed, executed as a deed",
        "mail_header": "original message, forwarded message, forwarded you, please find attached, find attached,"
        " attached you will find, see attached",
        "salutation": "dear *, to whom it may concern, hello *, dear sir, dear madam, good morning *, hi *",
        "closing": "yours sincerely, yours faithfully, kind regards, best regards, with kind regards, sincerely,"
        " best wishes, regards, yours truly, many thanks",
        "letter_prose": "i am writing, we are writing, we regret, please find enclosed, thank you for your letter,"
        " we look forward, please do not hesitate, i would like to, we would like to, please let me know,"
        " we refer to, has not reached us, we have not received, remains unpaid, still unpaid, to remind you,"
        " overdue, please call",
        "fill_in": "please complete, block capitals, complete in, fill in, please print, block letters,"
        " use capital letters, complete all, please write clearly, complete this form",
        "tick": "tick one, please tick, tick as appropriate, delete as applicable, tick where, check one,"
        " tick the box, mark with, circle one, tick all, tick box",
        "office_use": "for office use, office use only, official use, internal use only, for official use,"
        " for bank use, bank use only",
        "declares": "i declare, i hereby declare, i confirm that, the above is true, i authorise, i agree to,"
        " i consent, i certify, i apply, i undertake, i understand",
        "meeting": "the meeting, minutes of, was agreed, next meeting, action points, those present,"
        " it was resolved, the committee, the board, agenda item, meeting opened, meeting closed",
        "report_prose": "were found, was found, the inspection, were recorded, rose by, fell by, compared with,"
        " we recommend, it is recommended, quarter on quarter, on average, the number of, were examined,"
        " was carried out, no defects, in the period, per cent, than last year, we found, showed, were tested,"
        " was measured",
        "offer": "we are pleased to offer, we are pleased to quote, this quotation is valid, valid for,"
        " this is not an invoice, not a tax invoice, subject to change, we offer, this offer, our offer,"
        " without obligation, non-binding, offer is valid, quotation is valid, prices are valid,"
        " for customs purposes, payment in advance, not a demand for payment, upon acceptance,"
        " acceptance of this quotation, estimate is valid, before shipment",
        "no_invoice": "not an invoice, not a tax invoice, invoice follows, invoice will follow, invoice to follow,"
        " no invoice, your invoice follows, your invoice will, an invoice will, invoiced separately",
    },
)
