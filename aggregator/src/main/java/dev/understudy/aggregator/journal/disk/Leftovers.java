package dev.understudy.aggregator.journal.disk;

import dev.understudy.aggregator.exchange.Eviction;

/** Is told, on the disk's thread, what the process before left of a journal. */
public interface Leftovers {

    /** An exchange, on the present clock; false if it isn't wanted, and is to be struck out. */
    boolean found(Label label, Stored stored);

    /** Something that isn't to be read. */
    void lost(Eviction reason);

    /** That was all; returns how much of it was found and wanted. */
    long all();
}
