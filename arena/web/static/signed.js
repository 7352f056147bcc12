// Numbers with their signs: ratings, and credits gained or paid.

export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(Math.round(number))}`;
