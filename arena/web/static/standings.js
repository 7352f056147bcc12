// Ratings as text.

export const signed = (elo) => `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`;
