package dev.understudy.aggregator.journal.disk;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.FoundBlocks;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.SpilledBlock;
import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of one journal that lies in files: a {@link Spill} that is kept, each of whose blocks is one exchange.
 *
 * <p>Whoever leaves it work returns at once: replies are encoded, written, read and decoded on its own thread, on which
 * callbacks run, too. Safe for all threads.
 */
public final class JournalDisk<R extends RecordedReply> implements AutoCloseable {
    /** Replies of fewer bytes stay in memory: to know where they lie would take as much. */
    public static final int WORTH = 256;

    private static final Logger log = LoggerFactory.getLogger(JournalDisk.class);
    private static final int LABEL = 256;

    private final Spill spill;
    private final ReplyCodec<R> codec;
    private final long origin;
    private final ByteBufAllocator allocator;
    private final Label.Run run;
    private final @Nullable LargeBodies bodies;

    private JournalDisk(
            Spill spill,
            ReplyCodec<R> codec,
            long origin,
            ByteBufAllocator allocator,
            Label.Run run,
            @Nullable LargeBodies bodies) {
        this.bodies = bodies;
        this.spill = spill;
        this.codec = codec;
        this.origin = origin;
        this.allocator = allocator;
        this.run = run;
    }

    /**
     * Opens a journal's directory.
     *
     * @param upstream what a journal there must have been recorded from to be read: its name, protocol, addresses
     * @param capacity bytes of its files
     * @param nowNanos the present on the clock of the recorded stamps
     * @param bodies where large bodies of its replies are; null if there are none
     * @throws IOException if the directory can't be made, or is another process's
     */
    public static <R extends RecordedReply> JournalDisk<R> open(
            Path directory,
            String upstream,
            long capacity,
            ReplyCodec<R> codec,
            ByteBufAllocator allocator,
            long nowNanos,
            @Nullable LargeBodies bodies)
            throws IOException {
        Spill spill = Spill.keep(directory, "the journal in " + directory, allocator, capacity);
        long epochNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        long origin = Form.of("", upstream).fingerprint();
        return new JournalDisk<>(spill, codec, origin, allocator, new Label.Run(epochNanos, nowNanos), bodies);
    }

    /** Bytes of its files. */
    public long used() {
        return spill.used();
    }

    /** How many bytes they may have. */
    public long capacity() {
        return spill.capacity();
    }

    /** Whether the last write failed. */
    public boolean failing() {
        return spill.failing();
    }

    /** Why it failed; "" if it didn't. */
    public String trouble() {
        return spill.trouble();
    }

    /**
     * Writes an exchange.
     *
     * @param done is told where it lies, or null if it couldn't be written
     * @return false if it can't be taken now; {@code done} isn't told then
     */
    public boolean write(Recorded<R> exchange, Consumer<@Nullable Stored> done) {
        R reply = exchange.reply();
        int about = (int) Math.min(Integer.MAX_VALUE / 2, reply.bytes())
                + exchange.form().textBytes()
                + LABEL;
        return spill.write(
                about,
                () -> block(exchange),
                Runnable::run,
                place -> done.accept(place == null ? null : new Stored(place, codec.kept(reply), reply.large())));
    }

    private ByteBuf block(Recorded<R> exchange) {
        ByteBuf payload = allocator.buffer(LABEL);
        try {
            PackedWriter out = new PackedWriter(payload);
            label(exchange).writeTo(out);
            codec.encode(exchange.reply(), out);
            int length = payload.readableBytes();
            int limit = Math.max(BlockWriter.smallest(), BlockWriter.HEADER + BlockWriter.RECORD + length);
            BlockWriter block = new BlockWriter(allocator, exchange.connection(), limit);
            block.add(StreamEvent.REPLY, exchange.endNanos(), payload, length);
            return block.finish();
        } finally {
            payload.release();
        }
    }

    private Label label(Recorded<R> exchange) {
        return new Label(
                codec.format(),
                origin,
                run,
                exchange.id(),
                exchange.form(),
                exchange.connection(),
                exchange.startNanos(),
                exchange.endNanos(),
                exchange.reply().answer(),
                Label.Large.of(exchange.reply().large()));
    }

    /** Reads a reply back, and forgets it there; {@code done} gets null if it is damaged or gone. */
    public void take(Stored stored, Consumer<@Nullable R> done) {
        spill.read(stored.place(), Runnable::run, block -> {
            R reply = block == null ? null : decoded(block, stored);
            free(stored);
            done.accept(reply);
        });
    }

    private @Nullable R decoded(BlockReader block, Stored stored) {
        ByteBuf data = block.data();
        block.release();
        try {
            PackedReader in = new PackedReader(data, stored.large());
            Label.readFrom(in);
            R reply = codec.decode(in, stored.kept());
            in.end();
            return reply;
        } catch (IOException | RuntimeException damaged) {
            log.warn("a recorded reply can't be read back: {}", damaged.toString());
            return null;
        } finally {
            data.release();
        }
    }

    /** Nobody wants that reply any more. */
    public void free(Stored stored) {
        spill.free(stored.place());
    }

    /** A large body that an earlier process wrote; null if nothing of the kind is read here, and it can't be had. */
    private @Nullable LargeBody earlier(Label.Large large) {
        return bodies == null ? null : bodies.earlier(large.id(), large.length(), large.sum());
    }

    /** Finds what the process before left. */
    public void load(Leftovers leftovers) {
        spill.load(new FoundBlocks() {
            private long leftOut;

            @Override
            public boolean block(BlockReader block, SpilledBlock place) {
                ByteBuf data = block.data();
                try {
                    Label label = Label.readFrom(new PackedReader(data));
                    if (label.format() != codec.format() || label.origin() != origin) {
                        lost(Eviction.FOREIGN, "recorded from another upstream, or in another format");
                        return false;
                    }
                    Label.Large elsewhere = label.large();
                    LargeBody large = elsewhere == null ? null : earlier(elsewhere);
                    if (elsewhere != null && large == null) {
                        lost(Eviction.DAMAGED, "a large reply, and none are read here");
                        return false;
                    }
                    return leftovers.found(label.in(run), new Stored(place, null, large));
                } catch (IOException | RuntimeException damaged) {
                    lost(Eviction.DAMAGED, damaged.toString());
                    return false;
                } finally {
                    data.release();
                }
            }

            @Override
            public void damaged(String what) {
                lost(Eviction.DAMAGED, what);
            }

            private void lost(Eviction reason, String what) {
                if (leftOut++ == 0) {
                    log.warn("part of the journal on disk is left out: {}", what);
                }
                leftovers.lost(reason);
            }

            @Override
            public void all() {
                if (bodies != null) {
                    bodies.allKnown();
                }
                long reloaded = leftovers.all();
                if (reloaded > 0 || leftOut > 0) {
                    log.info("{} exchanges of an earlier run were found on disk, {} left out", reloaded, leftOut);
                }
            }
        });
    }

    /** Does other short work with files of its upstream, on its own thread; nothing once it is closed. */
    public void alsoDo(Runnable work) {
        spill.alsoDo(work);
    }

    /** Writes what it was given, for some seconds at most; the files stay. */
    @Override
    public void close() {
        spill.close();
    }
}
