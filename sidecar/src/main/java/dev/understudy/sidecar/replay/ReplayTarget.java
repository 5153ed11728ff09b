package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RecordingTurns;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exchange, or without any the turn, up to which a connection is replayed.
 *
 * @param number of the exchange or turn, from 1 on
 * @param framed whether it is an exchange
 */
public record ReplayTarget(int number, boolean framed) {
    /**
     * Finds it before anything is sent.
     *
     * @throws IOException if it isn't there, or the recording can't be read
     */
    public static ReplayTarget find(
            RecordingReader recording, Contents.Summary connection, Dialect dialect, ReplayFilter wanted)
            throws IOException {
        Requests requests = new Requests();
        RequestStream stream = dialect.requests(requests);
        List<Long> turns = new ArrayList<>(); // when each one's first read arrived
        RecordingTurns counted = new RecordingTurns();
        try {
            for (long position : connection.blocks()) {
                BlockReader block = recording.blockAt(position);
                try {
                    for (; block.hasRecord(); block.skip()) {
                        if (counted.begins(block.event())) {
                            turns.add(block.nanos());
                        }
                        if (block.event() == StreamEvent.REQUEST) {
                            stream.data(block.data(), block.nanos());
                        }
                    }
                } finally {
                    block.release();
                }
            }
        } finally {
            stream.release();
        }
        boolean framed = !requests.arrivals.isEmpty();
        int number = framed ? requests.find(wanted) : turn(turns, wanted);
        int count = framed ? requests.arrivals.size() : turns.size();
        if (number < 1 || number > count) {
            throw new IOException("connection " + connection.id() + " has no " + wanted + " among its " + count
                    + (wanted.number() > 0
                            ? "; understudy inspect --requests counts them"
                            : "; times are those of the sidecar that made the recording, while it ran"));
        }
        return new ReplayTarget(number, framed);
    }

    /** Its number; 0 if there is none that began then, or more than one: another turn would tell of something else. */
    private static int turn(List<Long> turns, ReplayFilter wanted) {
        if (wanted.number() > 0) {
            return wanted.number();
        }
        int first = turns.indexOf(wanted.arrivedNanos());
        return wanted.behind() == 0 && first == turns.lastIndexOf(wanted.arrivedNanos()) ? first + 1 : 0;
    }

    /** When the connection's requests arrived, in the order in which they are found. */
    private static final class Requests implements RequestStream.Cut<Object> {
        private final List<Long> arrivals = new ArrayList<>();

        /** The number; 0 if it isn't there. */
        int find(ReplayFilter wanted) {
            if (wanted.number() > 0) {
                return wanted.number();
            }
            int first = arrivals.indexOf(wanted.arrivedNanos());
            int found = first + wanted.behind();
            boolean there =
                    first >= 0 && found < arrivals.size() && arrivals.get(found).longValue() == wanted.arrivedNanos();
            return there ? found + 1 : 0;
        }

        @Override
        public Object request(Request request, ByteBuf bytes, long arrivedNanos, long nanos) {
            bytes.release();
            arrivals.add(arrivedNanos);
            return request;
        }

        @Override
        public void body(Object request, ByteBuf bytes, long nanos) {
            bytes.release();
        }

        @Override
        public void requestEnd(Object request, long nanos) {}

        @Override
        public void unframed(@Nullable Object unfinished, NotCompared why, String reason, long nanos) {}

        @Override
        public void raw(ByteBuf bytes, long nanos) {
            bytes.release();
        }
    }
}
