package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.disk.Stored;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An exchange on its way to the request that it was chosen for, off its shelf already.
 *
 * @param reply null if it is on disk
 * @param disk where; null if there is none
 */
record ReplyDelivery<R extends RecordedReply>(
        Waiter<R> waiter,
        JournalEntry<R> entry,
        @Nullable R reply,
        Reason reason,
        @Nullable JournalDisk<R> disk) {

    /** Delivers one, if there is one. From any thread. */
    static void deliver(@Nullable ReplyDelivery<?> delivery) {
        if (delivery != null) {
            delivery.run();
        }
    }

    /** From any thread. */
    void run() {
        if (reply == null) {
            read();
        } else if (entry.large() != null) {
            waiter.reading();
            settled(reply);
        } else {
            waiter.handOver(entry.with(reply), reason);
        }
    }

    /** On the event loop of the request: at once, if the whole reply is in memory. */
    void here(long waitedNanos) {
        if (reply != null && entry.large() == null) {
            waiter.finish(new Match.Hit<>(entry.with(reply), waitedNanos, false, reason));
        } else {
            run();
        }
    }

    /** What lies in files has to be there to its end. */
    private void settled(R whole) {
        LargeBody large = Objects.requireNonNull(entry.large());
        large.whenSettled(there -> {
            if (there) {
                waiter.handOver(entry.with(whole), reason);
            } else {
                large.discard();
                waiter.unreadable(entry.form(), Eviction.DISK_FAILED);
            }
        });
    }

    private void read() {
        Stored stored = Objects.requireNonNull(entry.stored);
        waiter.reading();
        Objects.requireNonNull(disk).take(stored, read -> {
            if (read == null) {
                LargeBody large = entry.large();
                if (large != null) {
                    large.discard();
                }
                waiter.unreadable(entry.form(), Eviction.DAMAGED);
            } else if (entry.large() != null) {
                settled(read);
            } else {
                waiter.handOver(entry.with(read), reason);
            }
        });
    }
}
