"""Spanish words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "factura, factura n, factura de venta, factura electrónica, factura final, minuta,"
        " minuta de honorarios, factura ordinaria, factura completa, factura de anticipo, recibo de suministro,"
        " factura comercial, factura de servicios, factura de luz",
        "receipt": "recibo, ticket, tique, factura simplificada, recibo de alquiler, comprobante de pago,"
        " justificante de pago, recibí, tícket, recibo de pago, copia cliente, copia para el cliente,"
        " resguardo de compra, recibo de caja, copia comercio, comprobante",
        "credit note": "nota de abono, abono, factura rectificativa, nota de crédito, factura de abono, abono n,"
        " anulación de factura, rectificativa, factura de anulación",
        "order": "pedido, pedido de compra, orden de compra, confirmación de pedido, hoja de pedido, pedido n,"
        " nota de pedido, confirmación del pedido, acuse de pedido, solicitud de compra, orden de pedido,"
        " orden de trabajo, pedido a proveedor, aceptación de pedido",
        "delivery note": "albarán, albarán de entrega, nota de entrega, carta de porte, lista de empaque, remito,"
        " guía de remisión, lista de contenido, packing list, hoja de entrega, albarán de salida, albarán valorado,"
        " nota de expedición, lista de embalaje, conduce, guía de transporte, parte de entrega, albarán n",
        "contract": "contrato, contrato de arrendamiento, contrato de trabajo, contrato de compraventa,"
        " contrato de servicios, acuerdo de confidencialidad, acuerdo, convenio, contrato de préstamo, anexo,"
        " adenda, contrato de prestación, novación, anexo al contrato, contrato de alquiler, contrato de obra,"
        " contrato de mantenimiento, contrato mercantil, acuerdo marco, contrato de suministro, anexo i, pacto,"
        " contrato privado, modificación del contrato, prórroga del contrato",
        "statement": "extracto, extracto de cuenta, extracto bancario, estado de cuenta, extracto de tarjeta,"
        " extracto de movimientos, movimientos de cuenta, extracto de cliente, liquidación de tarjeta,"
        " estado de cuenta del cliente, extracto n, resumen de cuenta, movimientos de la cuenta,"
        " extracto de proveedor, extracto mensual",
        "payslip": "nómina, recibo de salarios, recibo de nómina, recibo individual justificativo, hoja de salario,"
        " recibo individual de salarios, recibo de salario, recibo individual justificativo del pago de salarios,"
        " recibo de haberes, liquidación de sueldo, hoja de nómina, recibo de sueldo, nómina del mes",
        "letter": "recordatorio, recordatorio de pago, requerimiento de pago, reclamación de pago, carta, asunto,"
        " aviso de impago, rv, re, requerimiento, burofax, notificación, circular, último aviso, comunicado,"
        " segundo aviso, reclamación de deuda",
        "form": "solicitud, formulario, impreso, declaración, hoja de inscripción, orden de domiciliación,"
        " solicitud de inscripción, ficha de inscripción, parte de accidente, autoliquidación, mandato sepa, modelo,"
        " ficha, declaración responsable, parte de siniestro, orden de domiciliación de adeudo, encuesta,"
        " boletín de inscripción, autorización, hoja de reclamaciones, solicitud de, mandato, cuestionario,"
        " declaración de la renta, hoja de gastos, declaración jurada, nota de gastos, matrícula, inscripción",
        "report": "facturas recibidas, facturas emitidas, registro, libro, libro registro, inventario, diario,"
        " informe, memoria, acta, informe anual, informe de auditoría, acta de reunión, resumen, estudio,"
        " informe mensual, informe técnico, listado de facturas, relación de facturas, informe de inspección,"
        " balance, análisis, acta de la reunión, informe de ventas, libro de facturas, registro de facturas,"
        " informe trimestral, dictamen, evaluación, informe pericial, informe de visita, listado, relación,"
        " antigüedad de saldos, informe de gestión, acta de la junta, informe de ensayo, memoria anual",
        "identity paper": "documento nacional de identidad, dni, pasaporte, permiso de conducción,"
        " permiso de residencia, tarjeta de residencia, cédula de identidad, permiso de conducir, carné de conducir,"
        " tarjeta de identidad, licencia de conducir, certificado de nacimiento, tie,"
        " tarjeta de identidad de extranjero, cédula de ciudadanía, documento de identidad, título de viaje,"
        " partida de nacimiento, tarjeta de extranjero",
        "other": "menú del día, reglas del juego, carta, programa de fiestas, programa del, actividades,"
        " instrucciones del juego, presupuesto, oferta, factura proforma, factura pro forma, proforma, menú, receta,"
        " certificado, lista de precios, tarifa, currículum vitae, orden del día, programa, catálogo, entrada,"
        " cartel, invitación, horario, cotización, diploma, tarjeta de embarque, carta de vinos, instrucciones,"
        " manual, nota de prensa, vale, propuesta, oferta comercial, calendario, factura pro-forma,"
        " lista de la compra, aviso, folleto, guía, billete, título",
    },
    labels={
        "ordinal_clause": "primera., segunda., tercera., cuarta., quinta., sexta., primera:, segunda:, tercera:,"
        " cuarta:",
        "party_column": "proveedor, cliente, empresa, acreedor, deudor",
        "invoice_number": "factura n, factura nº, n.º de factura, número de factura, nº factura, factura núm,"
        " n.º factura, núm. factura",
        "payment_due": "vencimiento, fecha de vencimiento, forma de pago, condiciones de pago, vence,"
        " plazo de pago, fecha límite, vto",
        "bill_to": "facturar a, facturado a, datos de facturación, dirección de facturación, datos del cliente",
        "amount_due": "total factura, total a pagar, importe total, total a abonar, líquido a pagar, a pagar,"
        " importe a pagar, total con iva, total iva incluido",
        "vat_sums": "iva, base imponible, base, cuota iva, subtotal, total iva, suma, cuota, total sin iva, neto,"
        " retención irpf, i.v.a",
        "vat_number": "nif, cif, nif/cif, n.i.f, c.i.f, cif/nif",
        "bank_details": "iban, bic, cuenta, cuenta bancaria, n.º de cuenta, transferencia a",
        "cash": "entregado, cambio, efectivo, tarjeta, su cambio, pago tarjeta, visa, devuelto, recibido, contado,"
        " importe entregado, a devolver, a entregar",
        "till": "mesa, caja, cajero, cajera, le atendió, camarero, comensales, ticket, operación, surtidor,"
        " le ha atendido, tique n, cajero/a, vendedor, dependiente, empleado, camarera, iva incluido, tpv, hora",
        "card_slip": "autorización, comercio, terminal, operación, n.º autorización, aut, copia cliente,"
        " contactless, aid, nº autorización, operación autorizada, venta, terminal n, num. aut, sin contacto,"
        " n.º de operación, cod. aut",
        "received_sum": "recibí de, la cantidad de, en concepto de, por el alquiler, importe recibido, he recibido,"
        " recibido de, inquilino, arrendador, arrendatario, mensualidad de, renta del mes, renta, la suma de,"
        " casero, recibimos de, por concepto de, mensualidad",
        "credit_sum": "total a su favor, total abono, importe abonado, a devolver, importe a devolver,"
        " total abonado, saldo a su favor, importe del abono, total a abonar, total a devolver, importe a su favor,"
        " a su favor",
        "corrects_invoice": "rectifica la factura, factura original, factura rectificada, factura que se rectifica,"
        " corresponde a la factura, ref. factura, sobre factura, anula la factura, abono de la factura,"
        " factura de referencia, s/factura, referencia a factura, rectifica a",
        "credit_reason": "motivo, devolución, causa, motivo del abono, causa de la rectificación,"
        " motivo de la rectificación",
        "wanted_by": "entrega, fecha de entrega, plazo de entrega, entrega prevista, entregar antes,"
        " fecha de entrega solicitada, fecha prevista, entrega solicitada, entrega antes del,"
        " fecha estimada de entrega, salida prevista",
        "order_party": "proveedor, comprador, solicitado por, pedido por, autorizado por, departamento,"
        " centro de coste, solicitante, su pedido, fecha del pedido, autoriza, conforme",
        "order_sum": "total del pedido, total pedido, importe del pedido, valor del pedido, importe total del pedido",
        "delivered": "pedido, servido, entregado, pendiente, uds. pedidas, uds. entregadas, cantidad servida,"
        " cantidad pedida, pendiente de servir, cant. servida, pedidas, servidas, entregadas, cantidad entregada,"
        " pte, enviado, cant. pedida, pendientes, unidades servidas",
        "carriage": "transportista, bultos, peso, peso bruto, palets, conductor, agencia, fecha de envío,"
        " expedidor, destinatario, portes, matrícula, n.º de bultos, remitente, cargador, kg, cajas, peso total,"
        " fecha de salida, transporte, vehículo, n.º de seguimiento, preparado por, repartidor, chófer",
        "goods_received": "recibí, recibí conforme, recibido por, firma y sello, mercancía recibida,"
        " conforme el cliente, firma del receptor, recibí la mercancía, entregado conforme, recibido conforme,"
        " firma del cliente, firma del destinatario",
        "deliver_to": "dirección de entrega, lugar de entrega, destino, entregar en, enviar a,"
        " domicilio de entrega, dirección de envío, obra",
        "balances": "saldo inicial, saldo final, saldo anterior, saldo, saldo actual, nuevo saldo,"
        " saldo disponible, saldo a fecha, saldo al, saldo pendiente, saldo a",
        "account": "titular, período, periodo, fecha valor, concepto, movimiento, f. valor, cuenta n, f. operación,"
        " valor, sucursal, oficina, fecha operación, titular de la cuenta, límite de crédito, n.º de cuenta,"
        " extracto n, desde, del, número de tarjeta",
        "debit_credit": "debe, haber, cargo, cargos, abono, abonos, adeudo, ingresos, reintegros",
        "ageing": "no vencido, 0-30 días, 30 días, 60 días, 90 días, más de 90 días, vencido, 31-60 días, 1-30 días",
        "net_pay": "líquido total a percibir, líquido a percibir, total líquido, neto a percibir, líquido a cobrar,"
        " neto a cobrar, salario neto, líquido, neto a pagar, total a percibir",
        "gross_pay": "salario base, devengos, total devengado, plus, horas extraordinarias, complemento,"
        " antigüedad, salario bruto, paga extra, pagas extraordinarias, plus transporte, sueldo base, plus convenio,"
        " horas extra, percepciones, complementos, sueldo, percepciones salariales",
        "deductions": "deducciones, contingencias comunes, irpf, total a deducir, desempleo, formación profesional,"
        " seguridad social, retención, base de cotización, total deducciones, cuota obrera, i.r.p.f, mei,"
        " retenciones, aportación del trabajador, cotización",
        "employee": "trabajador, trabajadora, grupo de cotización, período de liquidación, n.º afiliación,"
        " categoría, empresa, periodo de liquidación, n.º de afiliación, categoría profesional, naf, n.º ss,"
        " afiliación, centro de trabajo, empleado, liquidación, puesto, grupo profesional, periodo, ccc, n.s.s,"
        " total días, nombre",
        "subject": "asunto, ref, referencia, adjunto, n/ref, s/ref, su referencia, nuestra referencia, anexos,"
        " documentos adjuntos",
        "mail_header": "de, para, enviado, asunto, cc, mensaje reenviado, adjunto, adjuntos, fecha",
        "form_blank": "apellidos, nombre, dirección, domicilio, código postal, teléfono, fecha de nacimiento,"
        " firma, fecha, dni, correo electrónico, nombre y apellidos, localidad, titular, iban, dni/nie, provincia,"
        " municipio, nacionalidad, firmado, lugar y fecha, profesión, población, e-mail",
        "report_heads": "resumen, resultados, conclusiones, recomendaciones, introducción, antecedentes,"
        " conclusiones y recomendaciones, objetivo, alcance, acuerdos, observaciones, hallazgos, orden del día,"
        " conclusión, metodología, análisis, resumen ejecutivo, incidencias, medidas, valoración, objeto, método,"
        " desarrollo, próximos pasos, ruegos y preguntas, situación, tareas, datos principales, principales cifras,"
        " contexto",
        "report_by": "elaborado por, autor, asistentes, área, inspector, período, periodo analizado, redactado por,"
        " secretario, preparado por, responsable, fecha de inspección, realizado por, excusan, presentes,"
        " presidente, técnico, emitido el, a fecha de, fecha de la visita, fecha del informe, a fecha,"
        " inspeccionado por, asisten, auditor, excusados, secretaria, perito",
        "person": "apellidos, nombre, sexo, nacionalidad, fecha de nacimiento, validez, lugar de nacimiento,"
        " fecha de expedición, fecha de caducidad, autoridad, apellido, válido hasta, número de pasaporte,"
        " n.º soporte, nacimiento, domicilio, caducidad, expedición, primer apellido, segundo apellido, num soport,"
        " num soporte, idesp, emisión, válido, hijo/a de, equipo, firma del titular, tipo, nombres,"
        " fecha de emisión, soporte, tipo de permiso, fecha de validez, expedido, permisos, titular, código,"
        " válida hasta, pasaporte n",
        "offer": "validez, validez de la oferta, oferta válida, presupuesto n, presupuesto válido,"
        " n.º de presupuesto, validez del presupuesto, plazo de validez, total presupuesto, aceptado",
        "referring": "según, conforme a, de acuerdo con",
    },
    phrases={
        "payment_due": "transferencia a, días fecha factura, pago a, a la recepción, dentro de los, días desde,"
        " pagadero, a * días, giro a",
        "till": "gracias por su visita, gracias por su compra, vuelva pronto, iva incluido, conserve este ticket,"
        " gracias por su confianza, hasta pronto, no se admiten devoluciones, le atendió, gracias por confiar,"
        " conserve el, guarde este",
        "received_sum": "he recibido de, recibí de, la cantidad de, en concepto de, hemos recibido, ha recibido de,"
        " la suma de, recibido en efectivo, sirve de recibo, carta de pago, pagado en efectivo",
        "credit_sum": "a su favor, le abonamos, será abonado, se descontará, será reintegrado, se compensará,"
        " se le devolverá, en su próxima, se abonará, será devuelto, devolución mediante, se reintegrará,"
        " se deducirá",
        "corrects_invoice": "rectifica la factura, de la factura, sobre la factura, a la factura, nuestra factura,"
        " anula la factura, rectificación de la factura, factura rectificada, anulación de la factura",
        "ordering": "rogamos suministren, les solicitamos, solicitamos el suministro, rogamos confirmen,"
        " sírvanse enviar, les pedimos, confirmen la recepción, rogamos nos envíen, rogamos sirvan, les rogamos,"
        " solicitamos nos, sírvase suministrar, confirmar la recepción, confirmen este pedido, indiquen este número,"
        " rogamos entreguen, deseamos pedir, les solicitamos el envío, necesitamos, mándennos, nos hacen falta,"
        " envíennos, nos mandan",
        "confirms_order": "hemos registrado su pedido, hemos recibido tu pedido, confirmamos su pedido,"
        " gracias por su pedido, su pedido ha sido, hemos recibido su pedido, agradecemos su pedido, le confirmamos,"
        " confirmamos el pedido, aceptamos su pedido, les confirmamos, su pedido del",
        "goods_received": "recibí conforme, mercancía recibida, recibido en buen estado, en buen estado,"
        " la factura se, factura aparte, sin reservas, recibí la mercancía, recibido conforme, no es una factura,"
        " factura a fin de mes, se facturará",
        "parties": "reunidos, en adelante, de una parte, de otra parte, de otra, las partes, ambas partes,"
        " el arrendador, el arrendatario, la arrendadora, el prestador, el prestamista, comparecen, intervienen,"
        " cualquiera de las partes, la arrendataria, el prestatario, el vendedor, el comprador, la empresa,"
        " el contratista, cada parte",
        "clause_words": "cláusulas, resolución, rescindir, preaviso, duración, jurisdicción, confidencialidad,"
        " confidencial*, fianza, prórroga, se obliga, se compromete, fuerza mayor, estipulaciones,"
        " legislación aplicable, tribunales, cláusula, penalización, entrará en vigor, período de prueba,"
        " entra en vigor, interés anual, sin cambios, se arrienda, incumplimiento, se mantienen",
        "signed_by_parties": "por duplicado, en prueba de conformidad, firman las partes, firman el presente,"
        " las partes firman, y para que conste, el arrendador el, un solo efecto, firma de las partes",
        "mail_header": "mensaje reenviado, mensaje original, adjunto, le adjunto, se adjunta, os adjunto,"
        " le reenvío, os reenvío, te reenvío",
        "salutation": "estimado*, estimada*, estimados señores, muy señor*, querido*, querida*, buenos días,"
        " hola *, apreciad*, distinguid*",
        "closing": "atentamente, un cordial saludo, saludos cordiales, reciba un, reciban un, cordialmente,"
        " un saludo, le saluda, saludos, sin otro particular, quedamos a su, quedo a su",
        "letter_prose": "les comunicamos, le informamos, nos dirigimos a, en respuesta a, le comunicamos,"
        " por la presente, nos complace, lamentamos, le recordamos, les informamos, no hemos recibido,"
        " sigue pendiente, pendiente de pago, por medio de la presente, le rogamos, nos ponemos en contacto,"
        " me dirijo a, de lo contrario, se encuentra pendiente, en caso contrario, le agradecemos",
        "fill_in": "rellene, cumplimentar, letra clara, en mayúsculas, rellenar, letras mayúsculas, cumplimente,"
        " a cumplimentar, letra de imprenta",
        "tick": "marque, señale, marcar con, marque con, táchese, tache, marque lo, una x",
        "office_use": "a rellenar por, espacio reservado, uso interno, reservado para la administración,"
        " a cumplimentar por, uso exclusivo, no rellenar",
        "declares": "declaro, autorizo, solicito, bajo mi responsabilidad, consiento, manifiesto,"
        " el abajo firmante, son ciertos, la persona abajo, acepto, doy mi consentimiento",
        "meeting": "la reunión, próxima reunión, por unanimidad, se acuerda, orden del día, la junta, se aprueba,"
        " la sesión, se levanta, la asamblea, se decide",
        "report_prose": "se revisaron, se ha observado, se observa, se recomienda, respecto al, en comparación,"
        " por ciento, se detectaron, aumentó, disminuyó, se han, se realizó, se comprobó, se midieron, el estudio,"
        " la inspección, con respecto, durante el, de media, se registraron, trimestre anterior, año anterior,"
        " han aumentado, se analizaron, se constata, han bajado, la visita, se aprecian, subió, bajó",
        "offer": "presupuesto válido, oferta válida, validez de la oferta, le ofrecemos, nos complace ofrecer,"
        " sin compromiso, válido hasta, validez, no tiene validez como, no es una factura, no válido como factura,"
        " a efectos de aduana, pago anticipado, valor a efectos, este presupuesto, esta oferta, sin valor fiscal,"
        " aceptación del presupuesto, pago por adelantado, antes del envío, firma de aceptación, si acepta",
        "no_invoice": "no es una factura, no válido como factura, la factura se, factura aparte, se facturará,"
        " sin validez fiscal",
    },
)
