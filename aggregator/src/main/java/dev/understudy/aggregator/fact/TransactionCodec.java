package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Production's transactions on disk: a number, by which replies of one transaction find together again, whether it was
 * a block, and how it had ended by then. One that hadn't is lost to a later process. Confined to the disk's thread.
 *
 * @param <E> an error in the protocol's words
 * @param <T> the protocol's transactions
 */
public final class TransactionCodec<E, T extends Transaction<E>> {
    /** Blocks of an earlier process that may be under way in the debug JVM at a time. */
    private static final int BLOCKS = 4_096;

    private static final List<Transaction.Outcome> OUTCOMES = List.of(
            Transaction.Outcome.OPEN,
            Transaction.Outcome.COMMITTED,
            Transaction.Outcome.ROLLED_BACK,
            Transaction.Outcome.COMMIT_FAILED,
            Transaction.Outcome.LOST);

    private final Supplier<T> made;
    private final ErrorCodec<E> errors;
    private final long run = UUID.randomUUID().getMostSignificantBits();
    private final Map<T, Long> numbers = new WeakHashMap<>();
    private final Map<Key, T> earlier = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, T> eldest) {
            return size() > BLOCKS;
        }
    };
    private long last;

    /**
     * Makes the codec of one upstream.
     *
     * @param made an open transaction
     */
    public TransactionCodec(Supplier<T> made, ErrorCodec<E> errors) {
        this.made = made;
        this.errors = errors;
    }

    /** How errors are written and read. */
    public interface ErrorCodec<E> {
        /** Writes all of it. */
        void encode(E error, PackedWriter out);

        /**
         * Reads what {@link #encode} wrote.
         *
         * @throws IOException if it isn't one
         */
        E decode(PackedReader in) throws IOException;
    }

    /** Tells this process from those whose transactions it will read. */
    private record Key(long run, long number) {}

    /** Writes which one it is, and how it stands. */
    public void encode(T transaction, PackedWriter out) {
        Transaction.Outcome outcome = transaction.outcome();
        E error = transaction.error();
        out.word(run).word(numbers.computeIfAbsent(transaction, t -> ++last));
        out.octet(transaction.block() ? 1 : 0).octet(OUTCOMES.indexOf(outcome)).octet(error == null ? 0 : 1);
        if (error != null) {
            errors.encode(error, out);
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param needed whether it isn't in memory anyway
     * @throws IOException if it isn't one
     */
    public T decode(PackedReader in, boolean needed) throws IOException {
        Key key = new Key(in.word(), in.word());
        boolean block = in.octet() != 0;
        int outcome = in.octet();
        if (outcome >= OUTCOMES.size()) {
            throw new IOException("an outcome of kind " + outcome);
        }
        E error = in.octet() == 0 ? null : errors.decode(in);
        T known = needed ? earlier.get(key) : null;
        T transaction = known == null ? read(block, OUTCOMES.get(outcome), error) : known;
        if (needed && block) {
            earlier.put(key, transaction);
        }
        return transaction;
    }

    private T read(boolean block, Transaction.Outcome outcome, @Nullable E error) {
        T transaction = made.get();
        if (block) {
            transaction.becomesBlock();
        }
        transaction.end(outcome == Transaction.Outcome.OPEN ? Transaction.Outcome.LOST : outcome, error);
        return transaction;
    }
}
