package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.NotCompared;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Notes what a client's bytes were cut into, and every byte. */
public final class NotedCut implements RequestStream.Cut<Request> {
    private final List<Request> requests = new ArrayList<>();
    private final List<String> unframed = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int ends;

    /** The requests, each in these words. */
    public List<String> requests(Function<Request, String> words) {
        return requests.stream().map(words).toList();
    }

    /** How many of them were whole. */
    public int ends() {
        return ends;
    }

    /** Why, and in which words, the stream couldn't be cut any further. */
    public List<String> unframed() {
        return unframed;
    }

    /** All that was handed on. */
    public byte[] bytes() {
        return bytes.toByteArray();
    }

    @Override
    public Request request(Request request, ByteBuf data, long arrivedNanos, long nanos) {
        requests.add(request);
        keep(data);
        return request;
    }

    @Override
    public void body(Request request, ByteBuf data, long nanos) {
        assertThat(request).isSameAs(requests.get(requests.size() - 1));
        keep(data);
    }

    @Override
    public void requestEnd(Request request, long nanos) {
        ends++;
    }

    @Override
    public void unframed(@Nullable Request unfinished, NotCompared why, String reason, long nanos) {
        unframed.add(why + " " + reason);
    }

    @Override
    public void raw(ByteBuf data, long nanos) {
        keep(data);
    }

    private void keep(ByteBuf data) {
        bytes.writeBytes(ByteBufUtil.getBytes(data));
        data.release();
    }
}
