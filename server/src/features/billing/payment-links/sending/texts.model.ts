import type { Language } from "../model.ts";

/** What payers are written to, where no template says it: all of it is here. The description and the address follow in lines of their own. */
const en = {
  subject: "{seller}: payment of {amount}",
  request: "{seller} asks you to pay {amount}.",
  request_due: "{seller} asks you to pay {amount} by {day}.",
  reminder: "Reminder: {seller} asks you to pay {amount}.",
  reminder_due: "Reminder: {amount} to {seller} is due on {day}.",
  overdue: "Reminder: {amount} to {seller} was due on {day}.",
  pay_here: "Pay here: {url}",
};

export type MessageTexts = typeof en;

export const MESSAGE_TEXTS: Readonly<Record<Language, MessageTexts>> = {
  en,
  de: {
    subject: "{seller}: Zahlung über {amount}",
    request: "{seller} bittet Sie um die Zahlung von {amount}.",
    request_due: "{seller} bittet Sie um die Zahlung von {amount} bis zum {day}.",
    reminder: "Erinnerung: {seller} bittet Sie um die Zahlung von {amount}.",
    reminder_due: "Erinnerung: {amount} an {seller} sind am {day} fällig.",
    overdue: "Erinnerung: {amount} an {seller} waren am {day} fällig.",
    pay_here: "Hier zahlen: {url}",
  },
  fr: {
    subject: "{seller} : paiement de {amount}",
    request: "{seller} vous demande de payer {amount}.",
    request_due: "{seller} vous demande de payer {amount} avant le {day}.",
    reminder: "Rappel : {seller} vous demande de payer {amount}.",
    reminder_due: "Rappel : {amount} sont à payer à {seller} le {day}.",
    overdue: "Rappel : {amount} étaient à payer à {seller} le {day}.",
    pay_here: "Payer ici : {url}",
  },
  es: {
    subject: "{seller}: pago de {amount}",
    request: "{seller} le pide que pague {amount}.",
    request_due: "{seller} le pide que pague {amount} antes del {day}.",
    reminder: "Recordatorio: {seller} le pide que pague {amount}.",
    reminder_due: "Recordatorio: el pago de {amount} a {seller} vence el {day}.",
    overdue: "Recordatorio: el pago de {amount} a {seller} venció el {day}.",
    pay_here: "Pagar aquí: {url}",
  },
  pt: {
    subject: "{seller}: pagamento de {amount}",
    request: "{seller} pede que você pague {amount}.",
    request_due: "{seller} pede que você pague {amount} até {day}.",
    reminder: "Lembrete: {seller} pede que você pague {amount}.",
    reminder_due: "Lembrete: o pagamento de {amount} a {seller} vence em {day}.",
    overdue: "Lembrete: o pagamento de {amount} a {seller} venceu em {day}.",
    pay_here: "Pague aqui: {url}",
  },
};
