package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpExchange;
import dev.understudy.aggregator.http.HttpRecorder;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.divergence.wire.http.Http2Preface;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Records a connection as the version of HTTP that its client begins with: HTTP/2 if that is the preface, else
 * HTTP/1.1.
 */
final class VersionRecorder implements ConnectionRecorder {
    /** The fact that the server changes from HTTP/1.1 to HTTP/2 where it is asked to. */
    static final String UPGRADES = "http upgrades to h2c";

    /** Bytes that a server may say before its client does. */
    private static final int MOST_EARLY = 64 * 1024;

    private final Recording<HttpAnswer> recording;
    private final FormRule rule;
    private final Http2Preface preface = new Http2Preface();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream(0);
    private final ByteArrayOutputStream early = new ByteArrayOutputStream(0);
    private @Nullable ConnectionRecorder recorder;

    VersionRecorder(Recording<HttpAnswer> recording, FormRule rule) {
        this.recording = recording;
        this.rule = rule;
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        ConnectionRecorder known = recorder;
        if (known != null) {
            known.request(data, nanos);
            return;
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        begun.writeBytes(bytes);
        preface.look(ByteBuffer.wrap(bytes));
        if (preface.decided()) {
            decide(nanos);
        }
    }

    private ConnectionRecorder decide(long nanos) {
        ConnectionRecorder decided = preface.complete()
                ? new Http2Recorder(recording, rule)
                : new HttpRecorder(recording, rule, this::changed);
        recorder = decided;
        if (begun.size() > 0) {
            decided.request(ByteBuffer.wrap(begun.toByteArray()), nanos);
        }
        if (early.size() > 0) {
            decided.reply(ByteBuffer.wrap(early.toByteArray()), nanos);
        }
        begun.reset();
        early.reset();
        return decided;
    }

    private ConnectionRecorder changed(HttpExchange asked) {
        recording.share(UPGRADES, true);
        Long table = UpgradeSettings.of(asked.request().head()).headerTableSize();
        return new Http2Recorder(recording, rule, asked, table == null ? 0 : table);
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        ConnectionRecorder known = recorder;
        if (known == null && early.size() + data.remaining() > MOST_EARLY) {
            known = decide(nanos);
        }
        if (known != null) {
            known.reply(data, nanos);
            return;
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        early.writeBytes(bytes);
    }

    @Override
    public void requestEnd(long nanos) {
        known(nanos).requestEnd(nanos);
    }

    @Override
    public void replyEnd(long nanos) {
        known(nanos).replyEnd(nanos);
    }

    @Override
    public void closed(long nanos) {
        known(nanos).closed(nanos);
    }

    private ConnectionRecorder known(long nanos) {
        ConnectionRecorder known = recorder;
        return known == null ? decide(nanos) : known;
    }

    @Override
    public long heldBytes() {
        ConnectionRecorder known = recorder;
        return known == null ? (long) begun.size() + early.size() : known.heldBytes();
    }
}
