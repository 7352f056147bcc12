// What a seat is asked, in words; a kind that is not here is a power's own and is called by its name.

const WORDS = {
  lead: "which action to lead, with which card",
  follow: "whether to follow, or to draw",
  crew: "how much Crew to use",
  bid: "a sealed bid",
  tie: "who wins the tie",
  window: "use of a power, or none",
  order: "which power comes first",
  "order-goods": "the order of the Goods",
  "fulfil-order": "which Ship is fulfilled first",
  "fulfil-early": "whether to fulfil now",
  "import-ship": "which Ship to import from",
  "import-take": "which Containers to take",
  "import-one": "which Container to take",
  "barter-take": "what to take for it",
  supply: "what to sell or take",
  contract: "which contract, on which Ship",
  load: "what to load, and where",
  piracy: "what to take, and where to load it",
  barter: "what to barter",
};

export const kindText = (kind) => WORDS[kind] ?? kind.replaceAll("-", " ");
