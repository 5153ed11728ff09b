package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.body.BodyReader;
import dev.understudy.aggregator.body.LargeBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A conversation that lies in files, as {@link StepWriter} wrote it: one piece of it is in memory. */
final class FiledSteps implements Steps {
    private final BodyReader reader;
    private final Executor loop;
    private final Runnable more;
    private final byte[] step = new byte[1 + GrpcMessages.HASH];
    private ByteBuf piece = Unpooled.EMPTY_BUFFER;
    private int known;
    private int left;
    private boolean reading;
    private boolean lost;
    private boolean closed;

    /** @param more is called on the loop when what {@link #next} had to read is there */
    FiledSteps(LargeBody file, Executor loop, Runnable more) {
        this.reader = file.read();
        this.loop = loop;
        this.more = more;
    }

    @Override
    public @Nullable GrpcStep next() {
        while (!lost) {
            if (!piece.isReadable()) {
                if (!reading && !reader.hasNext()) {
                    lost = known > 0 || left > 0;
                    return lost ? new GrpcStep.Lost() : new GrpcStep.Over();
                }
                read();
                return null;
            }
            GrpcStep next = left > 0 ? told() : begun();
            if (next != null) {
                return next;
            }
        }
        return new GrpcStep.Lost();
    }

    private void read() {
        if (!reading) {
            reading = true;
            reader.next(loop, this::read);
        }
    }

    private void read(@Nullable ByteBuf next) {
        reading = false;
        if (closed) {
            if (next != null) {
                next.release();
            }
            return;
        }
        piece.release();
        piece = next == null ? Unpooled.EMPTY_BUFFER : next;
        lost |= next == null;
        more.run();
    }

    private GrpcStep told() {
        int some = Math.min(left, piece.readableBytes());
        left -= some;
        return new GrpcStep.Told(piece.readRetainedSlice(some));
    }

    /** The step that is complete with these bytes; null if none is, or if it is what follows. */
    private @Nullable GrpcStep begun() {
        if (known == 0) {
            step[known++] = piece.readByte();
        }
        int length = length();
        int some = Math.min(length - known, piece.readableBytes());
        if (some < 0) {
            lost = true;
            return null;
        }
        piece.readBytes(step, known, some);
        known += some;
        if (known < length) {
            return null;
        }
        known = 0;
        if (step[0] == StepWriter.TOLD) {
            left = ByteBuffer.wrap(step).getInt(1);
            lost = left <= 0;
            return null;
        }
        return step[0] == StepWriter.SAID
                ? new GrpcStep.Said(Arrays.copyOfRange(step, 1, step.length))
                : new GrpcStep.Ended();
    }

    /** Bytes of the step that was begun, of a reply's without those; 0 if there is no such step. */
    private int length() {
        return switch (step[0]) {
            case StepWriter.SAID -> step.length;
            case StepWriter.ENDED -> 1;
            case StepWriter.TOLD -> 1 + Integer.BYTES;
            default -> 0;
        };
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            piece.release();
            piece = Unpooled.EMPTY_BUFFER;
            reader.close();
        }
    }
}
