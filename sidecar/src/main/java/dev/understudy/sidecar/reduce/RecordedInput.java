package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.http.HttpDialect;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.ReplayFilter;
import dev.understudy.sidecar.replay.ReplayTarget;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads the input that led to one exchange from a recording. */
final class RecordedInput {
    private RecordedInput() {}

    /**
     * All that a connection's client sent up to an exchange.
     *
     * @throws IOException if the file can't be read, the exchange isn't there, or isn't one of HTTP/1.1 that can be
     *     taken apart
     */
    static HttpInput read(Path file, Contents.Summary connection, ReplayFilter wanted) throws IOException {
        try (RecordingReader recording = RecordingReader.open(file)) {
            ReplayTarget target = ReplayTarget.find(recording, connection, dialect(), wanted);
            HttpCall.Collector collector = new HttpCall.Collector();
            for (long position : connection.blocks()) {
                BlockReader block = recording.blockAt(position);
                try {
                    for (; block.hasRecord(); block.skip()) {
                        if (block.event() == StreamEvent.REQUEST) {
                            ByteBuf data = block.data();
                            collector.feed(data.nioBuffer());
                            data.release();
                        }
                    }
                } finally {
                    block.release();
                }
            }
            List<HttpCall> calls = collector.calls();
            if (!target.framed() || calls.size() < target.number()) {
                throw new IOException("connection " + connection.id() + " has no whole " + wanted
                        + " of HTTP/1.1 (expected: requests of HTTP/1.1 with bodies of at most " + HttpCall.MOST_BODY
                        + " bytes" + (collector.problem().isEmpty() ? "" : "; here: " + collector.problem()) + ")");
            }
            return new HttpInput(calls.subList(0, target.number() - 1), calls.get(target.number() - 1));
        }
    }

    private static Dialect dialect() {
        IdentityMap identities = new IdentityMap(1);
        return new HttpDialect(new HttpComparison(ComparisonRules.defaults(), identities), identities);
    }
}
