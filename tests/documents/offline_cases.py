"""Documents as models get them, read by the product from the files that the names say.

The receipts are from SROIE (Huang et al., ICDAR 2019), CC-BY-4.0; the invoices are generated, the last two written here.
"""

# gen_invoice_101.pdf
INVOICE = """\
[1.1] Ostrava Tools s.r.o. | INVOICE
[1.2] Bill to: | Invoice no. | INV-2025-49883
[1.3] Delmar Logistics | Invoice date | 2026-04-04
[1.4] Due date | 2026-12-27
[1.5] Your order | PO755269
[1.6] SKU | Description | Qty | Unit price | Amount
[1.7] X4514 | Printed leaflet A5 | 15 | 25.19 | 377.85
[1.8] B6390 | Packing tape 6-pack | 10 | 234.05 | 2,340.50
[1.9] B2455 | Packing tape 6-pack | 3 | 124.01 | 372.03
[1.10] D6341 | Printed leaflet A5 | 18 | 177.19 | 3,189.42
[1.11] D4412 | Laser toner black | 21 | 380.19 | 7,983.99
[1.12] Subtotal | 14,263.79
[1.13] Tax 20% | 2,852.76
[1.14] Total GBP | 17,116.55
[1.15] IBAN DE63171754183969143723 Page 1 of 1
"""

# gen_invoice_103_skew.jpg
SKEWED_INVOICE = """\
[1.1] Blue Finch Print Works | INVOICE
[1.2] Bill to: | Invoice no. | INV-2024-78612
[1.3] Quay Nine Hotel | Invoice date | 2026-05-02
[1.4] Due date | 2026-11-27
[1.5] Your order | PO252611
[1.6] SKU | Description | Qty | Unit price | Amount
[1.7] A2997 | Optical filter 52 mm | 24 | 393.13 | 9,435.12
[1.8] A9013 | Laser toner black | 15 | 427.28 | 6,409.20
[1.9] A1721 | Printed leaflet A5 | 5 | 108.35 | 541.75
[1.10] X9575 | Copper pipe 15 mm | 4 | 332.52 | 1,330.08
[1.11] X7799 | Printed leaflet A5 | 6 | 358.52 | 2,151.12
[1.12] X5077 | Laser toner black | 22 | 275.66 | 6,064.52
[1.13] B9354 | Packing tape 6-pack | 12 | 98.83 | 1,185.96
[1.14] B9654 | Packing tape 6-pack | 9 | 342.33 | 3,080.97
[1.15] Subtotal | 30,198.72
[1.16] Tax 21% | 6,341.73
[1.17] Total GBP | 36,540.45
[1.18] IBAN DE91537193159821620337 Page 1 of 1
"""

# sroie_003.jpg
RECEIPT = """\
[1.1] tan woon yann
[1.2] YONGFATT ENTERPRISE
[1.3] (JM0517726)
[1.4] NO.122,124. JALAN DEDAP 13
[1.5] 81100 JOHOR BAHRU
[1.6] TEL 07-3523888
[1.7] GST ID:000849813504
[1.8] SIMPLIFIED TAX INVOICE
[1.9] CASH
[1.10] Doc No | CS00031663 | Date 25/12/2018
[1.11] Cashte | USER | Time 1231.00
[1.12] Sale.sperson | Ref.
[1.13] Itum | Qty | S/Price | Amount Tax
[1.14] E8318 | 1 | 8091 | 80.91 SR
[1.15] ELEGANT SCH TR BAG 15
[1.16] Total Qty | 1 | 80 91
[1.17] Total Sales (Excluding GST) | 80.91
[1.18] Discount | 000
[1.19] Total GST | 0.00
[1.20] Rounding | -0.01
[1.21] Total Sales (Inclusive of GST) : | 80.90
[1.22] CASH: | 100.00
[1.23] 80.90 Change: | 19.10
[1.24] GST SUMMARY
[1.25] Tax Code | % | Amt (RM) | Tax(RM)
[1.26] SR | 0 | 80.91 | 0.00
[1.27] Total: | 80.91 | 0.00
[1.28] GOODS SOLD ARE NOT REFUNDABLE. ONLY
[1.29] CVONCCADIFDIOAVO
"""

# sroie_241.jpg
NOISY_RECEIPT = """\
[1.1] BEMED (SP) SDN. BHD.
[1.2] No.49, Jalan Dlnar G U3/G.
[1.3] Subang Perdana,
[1.4] 40150 Shah Alam, Selangor D.E.
[1.5] 03-7845 5155
[1.6] GST Reg:001734164430
[1.7] CASH RECEIPT
[1.8] CB#:45976049320 25/Feb/2017 07:43:54
[1.9] Gashier: be ()
[1.10] Cty Code&Desc | Price | Total
[1.11] NH DELICADERMA PROTECTIVE CR 50M
[1.12] 1 349000 | 76.00 | 76 ER
[1.13] 11-(BEPROGENT CR LS) 30G
[1.14] 1 178032 | 10.00 | 10 ZRL
[1.15] ALPHA LIPID LIFE LINE 450MG 450G
[1.16] 1 184310 | 165.00 | 185 3R
[1.17] 3 Type: 3
[1.18] SubTotal: | 251.00
[1.19] Gash Promotion | 34.00
[1.20] Rounding Adj : | 0.00
[1.21] Total Inclusive GST: | 217.00
[1.22] MA ER | 217.00
[1.23] GST Summary: | Amount | Tax
[1.24] (MYR) (MYR)
[1.25] SR | 195.28 | 11.72
[1.26] ZRL | 10.00 | 0.00
[1.27] ONG GUAT CHYE
[1.28] Points :
[1.29] 215
[1.30] Thankyou.
[1.31] Please come again.
"""

# sroie_058.jpg
CAFE_RECEIPT = """\
[1.1] A03136
[1.2] UNIHAKKA INTERNATIONAL SDN BHD
[1.3] 30 Mar 2018 18:17
[1.4] (867388-U)
[1.5] 12, Jalan Tampoi 7/4,Kawasan Perindustrian
[1.6] Tampoi,81200 Johor Bahru,Johor
[1.7] TAXINVOICE
[1.8] Invoice #:OR18033002170384
[1.9] Item | Qty | Total
[1.10] SR 100100000035- 1 Meat + 3 Vege
[1.11] $7.10 | $7.10
[1.12] SR 100100000015- Vegetable
[1.13] $1.10 | $1.10
[1.14] Total Amount: $8.20
[1.15] GST @6%: S0.46
[1.16] Nett Total: S8.20
[1.17] Payment Mode | Amount
[1.18] ASH | $8.20
[1.19] Change | $0.00
[1.20] GST Summary | Amount($) | Tax{$)
[1.21] SF-GST@3% | 7.74 | 0.40
[1.22] GST REG #000656195584
[1.23] BAR WANG RICE@PERMAS JAYA
[1.24] (Price Inclusive Oi GST)
[1.25] Thank You & Come Againl
[1.26] Like and Follow Us on Facebook!
[1.27] Facebook.com/BarWangRice
"""

GERMAN = """\
[1.1] Möbelhaus Brandt GmbH
[1.2] Gartenstraße 4, 80331 München
[1.3] Rechnung an: | Rechnungs-Nr.: RE-2026-118
[1.4] Café Süß | Rechnungsdatum: 03.02.2026
[1.5] Fällig am 17.02.2026
[1.6] Bestellnummer | B-7781
[1.7] Beschreibung | Menge | Einzelpreis | Gesamtpreis
[1.8] Esstisch Eiche | 1 | 1.249,00 | 1.249,00
[1.9] Stuhl Buche | 4 | 89,50 | 358,00
[1.10] Zwischensumme | 1.607,00 €
[1.11] MwSt. 19 % | 305,33 €
[1.12] Gesamtbetrag | 1.912,33 €
[1.13] IBAN: DE89 3704 0044 0532 0130 00
"""

FRENCH = """\
[1.1] Atelier Dubois SARL
[1.2] Facture n° FA-2026-031
[1.3] Date de facture : 5 mars 2026
[1.4] Date d'échéance : 4 avril 2026
[1.5] Désignation | Quantité | Prix unitaire | Montant
[1.6] Réparation vélo | 2 | 45,00 | 90,00
[1.7] Pneu | 1 | 32,50 | 32,50
[1.8] Total HT | 122,50 €
[1.9] TVA 20 % | 24,50 €
[1.10] Total TTC | 147,00 €
"""
