// Shared by the judge, the learner's worker and the page: the layout of the memory between them.

// One exchange: a head of 32-bit words, the printed text, then one frame in either direction.
export const HEAD = 64, PRINTED = 8192, FRAME = 7 << 20;
export const STATE = 0, LENGTH = 1, KEPT = 2, DROPPED = 3; // words of the head
export const REQUEST = 1, REPLY = 2, GONE = 3; // values of STATE
