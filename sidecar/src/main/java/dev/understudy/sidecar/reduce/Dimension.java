package dev.understudy.sidecar.reduce;

import java.util.BitSet;

/** One way to take an input apart into parts of which each can be left out. */
interface Dimension {
    /** What its parts are, in the plural, e.g. {@code headers}. */
    String name();

    /** How many parts an input has. */
    int count(HttpInput input);

    /** The input with only some of its parts; the input itself where all are kept and it needn't be written anew. */
    HttpInput keep(HttpInput input, BitSet kept);

    /** Whether a part has none of the parts of other dimensions in it. */
    default boolean isLeaf(HttpInput input, int part) {
        return true;
    }

    /** What a part is, e.g. {@code header X-Currency: EUR}. */
    InputPart describe(HttpInput input, int part);
}
