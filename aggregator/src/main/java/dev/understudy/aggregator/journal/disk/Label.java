package dev.understudy.aggregator.journal.disk;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.ReplyCodec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What stands before a reply on disk.
 *
 * <pre>
 *   1 · format of the reply · origin · epoch nanoseconds and nanoTime of one moment of the run · id · connection ·
 *   start · end · answer · form
 *   2 · the same, then id, length and sum of the large body that belongs to the reply
 * </pre>
 *
 * @param format of the reply, {@link ReplyCodec#format}
 * @param origin tells the upstream from others
 * @param run the process that wrote it
 * @param large what of the reply lies elsewhere; null if it is all here
 */
public record Label(
        int format,
        long origin,
        Run run,
        long id,
        Form form,
        long connection,
        long startNanos,
        long endNanos,
        long answer,
        @Nullable Large large) {
    private static final int WHOLE = 1;
    private static final int WITH_LARGE = 2;

    /** Exchanges of earlier runs have ids below 0, in their own order. */
    private static final long EARLIER = 1L << 52;

    /** One process: a moment on both clocks. */
    public record Run(long epochNanos, long nanos) {}

    /** What a large body is found by. */
    public record Large(long id, long length, long sum) {
        static @Nullable Large of(@Nullable LargeBody body) {
            return body == null ? null : new Large(body.id(), body.length(), body.sum());
        }
    }

    void writeTo(PackedWriter out) {
        Large elsewhere = large;
        out.octet(elsewhere == null ? WHOLE : WITH_LARGE)
                .number(format)
                .word(origin)
                .word(run.epochNanos)
                .word(run.nanos);
        out.word(id)
                .word(connection)
                .word(startNanos)
                .word(endNanos)
                .word(answer)
                .form(form);
        if (elsewhere != null) {
            out.word(elsewhere.id).word(elsewhere.length).word(elsewhere.sum);
        }
    }

    /** What stands before the reply that {@code in} reads next. */
    public static Label readFrom(PackedReader in) throws IOException {
        int version = in.octet();
        if (version != WHOLE && version != WITH_LARGE) {
            throw new IOException("version " + version);
        }
        int format = in.number();
        long origin = in.word();
        Run run = new Run(in.word(), in.word());
        long id = in.word();
        long connection = in.word();
        long start = in.word();
        long end = in.word();
        long answer = in.word();
        Form form = in.form();
        Large large = version == WHOLE ? null : new Large(in.word(), in.word(), in.word());
        return new Label(format, origin, run, id, form, connection, start, end, answer, large);
    }

    /** The same on the clock of a later run. */
    Label in(Run later) {
        long shift = (later.nanos - later.epochNanos) - (run.nanos - run.epochNanos);
        long earlierId = id < 0 ? id : id - EARLIER;
        return new Label(
                format, origin, run, earlierId, form, connection, startNanos + shift, endNanos + shift, answer, large);
    }
}
