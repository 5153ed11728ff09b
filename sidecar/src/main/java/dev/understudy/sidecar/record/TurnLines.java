package dev.understudy.sidecar.record;

import dev.understudy.divergence.compare.raw.ReplyOpening;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.function.Consumer;

/** The turns of one recorded connection, read one by one: there may be millions. Confined to its caller. */
public final class TurnLines {
    private final Consumer<Line> sink;
    private final RecordingTurns turns = new RecordingTurns();
    private ReplyOpening opening = new ReplyOpening(ReplyOpening.LONGEST_WORD + 1);
    private boolean begun;
    private long nanos;
    private long bytes;

    private TurnLines(Consumer<Line> sink) {
        this.sink = sink;
    }

    /**
     * One turn.
     *
     * @param nanos when its first bytes arrived, on the recording's clock
     * @param word what it begins with, as in {@code understudy suspects}; empty if that is no word with more behind it
     * @param bytes how many the client said
     */
    public record Line(long nanos, String word, long bytes) {}

    /**
     * Tells {@code sink} of each turn, in order.
     *
     * @throws IOException if the recording can't be read any more
     */
    public static void read(RecordingReader recording, Contents.Summary connection, Consumer<Line> sink)
            throws IOException {
        TurnLines lines = new TurnLines(sink);
        for (long position : connection.blocks()) {
            BlockReader block = recording.blockAt(position);
            try {
                for (; block.hasRecord(); block.skip()) {
                    lines.read(block);
                }
            } finally {
                block.release();
            }
        }
        lines.end();
    }

    private void read(BlockReader block) {
        if (turns.begins(block.event())) {
            end();
            begun = true;
            opening = new ReplyOpening(ReplyOpening.LONGEST_WORD + 1);
            nanos = block.nanos();
            bytes = 0;
        }
        if (block.event() == StreamEvent.REQUEST) {
            ByteBuf data = block.data();
            bytes += data.readableBytes();
            opening.add(data.nioBuffer());
            data.release();
        }
    }

    private void end() {
        if (begun) {
            sink.accept(new Line(nanos, opening.word(), bytes));
        }
    }
}
