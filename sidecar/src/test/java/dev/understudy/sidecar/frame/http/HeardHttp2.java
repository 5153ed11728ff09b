package dev.understudy.sidecar.frame.http;

import dev.understudy.relay.http2.Http2Reader;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server of HTTP/2 hears: of each stream its fields, its body, and how it ended. */
final class HeardHttp2 implements Http2Reader.Sink {
    final Map<Integer, String> streams = new LinkedHashMap<>();
    final List<String> problems = new ArrayList<>();
    final byte[] all;

    private HeardHttp2(byte[] all) {
        this.all = all;
    }

    static HeardHttp2 of(byte[] said) {
        HeardHttp2 heard = new HeardHttp2(said);
        Http2Reader reader = new Http2Reader(heard);
        reader.allow(Http2RequestStream.TABLE);
        reader.feed(ByteBuffer.wrap(said, 24, said.length - 24));
        return heard;
    }

    private void add(int stream, String what, boolean last) {
        streams.merge(stream, what + (last ? "!" : ""), String::concat);
    }

    @Override
    public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
        if (headers == null) {
            problems.add("no headers");
            return;
        }
        StringBuilder fields = new StringBuilder("[");
        headers.forEach(field -> fields.append(field.getKey())
                .append('=')
                .append(field.getValue())
                .append('|'));
        add(stream, fields.append(']').toString(), last);
    }

    @Override
    public void data(int stream, ByteBuffer content, boolean last) {
        add(stream, StandardCharsets.UTF_8.decode(content).toString(), last);
    }

    @Override
    public void reset(int stream, long code) {
        add(stream, "reset", true);
    }

    @Override
    public void promised() {
        problems.add("promised");
    }

    @Override
    public void malformed(String why) {
        problems.add(why);
    }
}
