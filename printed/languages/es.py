"""Spanish."""

from printed.language import Language

LANGUAGE = Language(
    code="es",
    months="enero ene, feb febrero, mar marzo, abr abril, mayo, jun junio, jul julio, ago agosto, sep septiembre,"
    " oct octubre, nov noviembre, dic diciembre",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    date_joiners="de del",
    ordinals="º",
    weeks="semana",
    quarters="trimestre",
    halves="semestre",
    quarter_numbers="1 primer primero, 2 segundo, 3 tercer tercero, 4 cuarto",
    positions="1 primera, 2 segunda, 3 tercera, 4 cuarta, 5 quinto quinta",
    latest="último última más_reciente",
    earliest="más_antiguo más_antigua",
    pointers="este esta ese esa aquel aquella",
    definitions="schema esquema esquemas, prompt prompt prompts, tag etiqueta etiquetas",
    numbers="1 un una uno, 2 dos, 3 tres, 4 cuatro, 5 cinco, 6 seis, 7 siete, 8 ocho, 9 nueve, 10 diez, 11 once, 12"
    " doce, 13 trece, 14 catorce, 15 quince, 16 dieciséis, 17 diecisiete, 18 dieciocho, 19 diecinueve, 20 veinte, 21"
    " veintiún veintiuno veintiuna, 22 veintidós, 23 veintitrés, 24 veinticuatro, 25 veinticinco, 26 veintiséis, 27"
    " veintisiete, 28 veintiocho, 29 veintinueve, 30 treinta, 40 cuarenta, 50 cincuenta, 60 sesenta, 70 setenta, 80"
    " ochenta, 90 noventa, 100 cien ciento, 200 doscientos doscientas, 300 trescientos trescientas, 400 cuatrocientos"
    " cuatrocientas, 500 quinientos quinientas, 600 seiscientos seiscientas, 700 setecientos setecientas, 800"
    " ochocientos ochocientas, 900 novecientos novecientas",
    minus="menos",
    minor_units="centavo centavos céntimo céntimos",
    number_joiners="y",
    scales="thousand mil, million millón millones",
    currencies="EUR euro euros, USD/CAD/AUD/NZD/SGD/HKD dólares",
    units="% por_ciento, day día días dia dias, week semana semanas, month mes meses, year año años, hour hora"
    " horas, minute minutos, m metros, l litros",
    each="por al",
    stopwords="el la los las es y o del en una un por con para se qué cuál cuáles quién quiénes cuándo dónde cómo",
    yes="si sí",
    no="no",
    negations="no nunca ningún ninguna sin",
    limits="solo",
    exceptions="antes",
    more="aument subió suben subida increment",
    less="bajó bajan disminu",
    minimum="al_menos como_mínimo más_de no_menos_de",
    maximum="como_máximo hasta menos_de no_más_de",
    minimum_behind="o_más",
    maximum_behind="o_menos",
    titles="señor señora sr sra",
    approved="firmado firmada aprobado aprobada autorizado autorizada",
    approves="firmó aprobó autorizó",
    has="ha han",
    by="por",
    asks="pregunte contacte llame consulte informe avise pregunta_a llamar_a contactar_con hable_con",
    reports="según asciende ascienden indica indican indicado menciona mencionado figura figuran cita dice"
    " muestra da contiene cuesta cuestan hace valor número texto palabra palabras frase línea también aquí"
    " allí en al lo le se su sus ya más muy este esta estos estas ese esa ha han fue fueron ser está están"
    " entre dentro durante mismo misma como si pero porque no nos son les y/o desde sin",
    mentions="menciona mencionan nombra indica indican contiene contienen prevé prevén cita",
    parties="tenant inquilino inquilina arrendatario arrendataria, landlord arrendador arrendadora casero"
    " propietario, buyer comprador compradora, seller vendedor vendedora, lender prestamista acreedor,"
    " borrower prestatario deudor, employer empleador empresario, employee empleado empleada trabajador"
    " trabajadora, customer cliente clienta clientes, supplier proveedor proveedora, insurer aseguradora,"
    " insured asegurado asegurada, bank banco, recipient destinatario, sender remitente",
    meanings="total suma juntos juntas, rent alquiler renta, deposit fianza depósito, pay paga pagan pagar pago"
    " pagado pagada, sign firmado firmada firma firmó, deliver entrega entregado entregada, deadline plazo"
    " preaviso, terminate rescindido rescisión cancelación, interest intereses interés, penalty"
    " penalización multa, roof techo tejado, damage daño daños, insurance seguro, warranty garantía,"
    " heating calefacción, loan préstamo, fee tasa honorarios",
    directions="por desde de del a al para contra con que",
    before="antes hasta",
    after="después tras",
    universals="todos todas todo toda cada siempre solo sólo solamente ambos ambas",
    permits="puede pueden podrá",
    obliges="debe deben deberá obligado",
    conditions="si salvo sin consentimiento",
    plans="promete prevé propone ofrece solicita pide",
    derived="o a os as ó ado ada ados adas ar ción ciones miento able an",
    terms="neto pago* pagadero* vencimiento* vence* plazo* crédito",
    pages="página pagina",
    rows="fila filas línea líneas posición partida partidas",
    beside_rows="debajo_de encima_de tras siguiente junto",
    row_joiners="a hasta",
    list_joiners="y",
    page_joiners="de",
    documents="documento documentos factura facturas contrato contratos",
    sources="fuente fuentes véase ver",
    offers="debo puedo quiere quieres desea deseas",
    suggestions="puedo podría puede podemos podríamos puedes sugiero propongo si_quiere si_quieres si_lo_desea",
    examples="como por_ejemplo p.ej llamado llamada",
    clauses="artículo cláusula anexo",
    kinds={
        "Invoice": "factura",
        "Receipt": "caja, factura simplificada, cambio, gracias por su",
        "Credit note": "nota de abono, factura rectificativa, nota de crédito",
        "Purchase order": "pedido de compra, orden de compra",
        "Delivery note": "albarán",
        "Quote": "presupuesto",
        "Contract": "contrato",
    },
    fields={
        "vendor": "proveedor, vendedor, emisor, datos del emisor, emite, razón social",
        "address": "dirección, domicilio",
        "customer": "facturar a, facturado a, datos del cliente, cliente, destinatario, comprador, receptor,"
        " a favor de",
        "invoice_number": "número de factura, número factura, núm factura, núm de factura, nº factura, n de"
        " factura, n factura, no factura, no de factura, factura número, factura núm, factura no,"
        " factura n; factura; núm",
        "receipt_number": "n de ticket, ticket n, número de ticket, factura simplificada n, factura simplificada;"
        " ticket",
        "credit_note_number": "nota de abono n, nota de crédito n, número de abono; nota de abono, nota de crédito",
        "invoice_date": "fecha de factura, fecha de la factura, fecha factura, fecha de emisión, fecha emisión,"
        " fecha de expedición; fecha",
        "date": "fecha de emisión, fecha",
        "due_date": "fecha de vencimiento, fecha vencimiento, fecha límite de pago, fecha de pago, pagar"
        " antes del, vencimiento, vence el, vence",
        "delivery_date": "fecha de entrega, fecha de operación",
        "order_date": "fecha de pedido, fecha del pedido",
        "po_number": "número de pedido, n de pedido, no de pedido, nº pedido, n pedido, su pedido, pedido n,"
        " pedido no, orden de compra, pedido",
        "customer_number": "número de cliente, n de cliente, n cliente, no cliente, código de cliente, cód cliente,"
        " código cliente, cliente n",
        "tax_id": "nif/cif, cif/nif, número de identificación fiscal, nif iva, n iva, nif, cif, n.i.f.,"
        " c.i.f., rfc, nit",
        "registration_number": "registro mercantil",
        "currency": "moneda, divisa",
        "subtotal": "total base imponible, base imponible, importe neto, total neto, total sin iva, suma"
        " neta, importe sin iva, subtotal; neto, base, suma, total bruto",
        "tax_rate": "i.v.a., tipo de iva, tipo iva, tipo impositivo, iva",
        "tax": "cuota de iva, cuota iva, importe iva, total iva, importe de iva, cuota, i.v.a., iva",
        "discount": "descuento, dto",
        "shipping": "gastos de envío, portes, envío",
        "total": "total a pagar, importe a pagar, total factura, total de la factura, importe total, total"
        " con iva, total iva incluido, importe líquido, líquido a pagar, a pagar, total general,"
        " total a su favor; total euros, total eur; total, importe",
        "amount_paid": "pagado, anticipo, importe pagado",
        "payment_method": "forma de pago, método de pago, medio de pago, modo de pago",
        "payment_terms": "condiciones de pago",
        "cashier": "cajero, cajera, le atendió",
        "email": "correo electrónico, correo",
        "phone": "teléfono, tfno, telf",
    },
    columns={
        "position": "línea, pos, n",
        "sku": "referencia, ref, código, cód, código artículo, código de artículo, artículo n, código producto",
        "description": "descripción, concepto, artículo, producto, detalle, denominación, servicio",
        "quantity": "cantidad, cant, cdad, uds, unidades, horas",
        "unit": "unidad, ud, unidad de medida",
        "unit_price": "precio unitario, precio unidad, precio ud, p unitario, p unit, precio unit, precio,"
        " tarifa, p u, precio por unidad, pvp, precio neto, valor unitario",
        "discount": "descuento, dto, dto %, desc",
        "tax_code": "tipo iva, iva, iva %, % iva, tipo de iva",
        "tax": "importe iva, cuota iva",
        "amount": "importe total, importe neto, importe, total línea, precio total, subtotal, total, neto,"
        " monto, precio con iva, precio iva incluido, valor total, valor",
    },
    passed_labels={
        "customer": r"\bn\W|\bno\b|numero|codigo|\bcod|atencion|servicio|nif|cif|email",
        "invoice_number": r"fecha|total|importe|simplificada|rectific|vencim|cliente|adjunt|abono|datos",
        "invoice_date": r"vencimiento|entrega|pedido|pago|limite|nacimiento|operacion",
        "date": r"vencimiento|entrega|pedido|pago|limite|nacimiento",
        "tax": r"incluido|sin iva|base|exento|\bnif\b|total factura|con iva|n\W*iva",
        "tax_rate": r"exento|nif",
        "total": r"sub\W*total|base|neto|sin iva|total\W*iva(?!\W*inc)|descuento|cuota|bultos|unidades|dto|"
        r"abonar antes|pendiente anterior",
        "subtotal": r"peso",
        "tax_id": r"cliente|importe|cuota|tipo",
    },
    label_words="number numero, quantity cantidad, amount importe, tax iva, date fecha, invoice factura, due"
    " vencimiento, order pedido, price precio, description descripcion, customer cliente, discount descuento,"
    " currency"
    " moneda",
    counts="cantidad",
    sum_rows="suma",
    totals="suma importe",
    adjustments="iva *descuento* portes envío pagado",
    table_ends="total* subtotal* iva base_imponible* suma",
    streets="calle c/ avenida avda plaza paseo polígono carretera",
    company_forms="sl slu sa",
)
