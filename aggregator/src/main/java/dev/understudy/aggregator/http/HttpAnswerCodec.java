package dev.understudy.aggregator.http;

import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HTTP replies on disk: version, status, reason, headers, framing, body, trailers, heads before them, pace. */
public final class HttpAnswerCodec implements ReplyCodec<HttpAnswer> {
    private static final List<HttpAnswer.Framing> FRAMINGS =
            List.of(HttpAnswer.Framing.COUNTED, HttpAnswer.Framing.CHUNKED, HttpAnswer.Framing.UNTIL_CLOSE);

    private static final int NO_PACE = 0;
    private static final int ENDS = 1;
    private static final int BREAKS_OFF = 2;

    @Override
    public int format() {
        return 0x4802;
    }

    @Override
    public void encode(HttpAnswer reply, PackedWriter out) {
        head(reply.head(), out);
        out.octet(FRAMINGS.indexOf(reply.framing())).bytes(reply.body());
        headers(reply.trailers(), out);
        out.number(reply.interim().size());
        reply.interim().forEach(early -> head(early, out));
        HttpPace pace = reply.pace();
        out.octet(pace == null ? NO_PACE : pace.ends() ? ENDS : BREAKS_OFF);
        if (pace != null) {
            out.number(pace.messages().size());
            pace.messages().forEach(out::bytes);
            out.number(pace.releases().size());
            for (HttpPace.Release release : pace.releases()) {
                out.number(release.messages()).octet(release.ended() ? 1 : 0).number(release.upTo());
            }
        }
    }

    @Override
    public HttpAnswer decode(PackedReader in, @Nullable Object kept) throws IOException {
        ReplyHead head = head(in);
        HttpAnswer.Framing framing = FRAMINGS.get(in.octet());
        byte[] body = in.bytes();
        List<Header> trailers = headers(in);
        int early = in.count(5);
        List<ReplyHead> interim = new ArrayList<>(early);
        for (int i = 0; i < early; i++) {
            interim.add(head(in));
        }
        return new HttpAnswer(head, body, trailers, framing, interim, pace(in, body.length), in.large());
    }

    private static @Nullable HttpPace pace(PackedReader in, int body) throws IOException {
        int kind = in.octet();
        if (kind == NO_PACE) {
            return null;
        }
        if (kind > BREAKS_OFF) {
            throw new IOException("a pace of kind " + kind);
        }
        int said = in.count(1);
        List<byte[]> messages = new ArrayList<>(said);
        for (int i = 0; i < said; i++) {
            messages.add(in.bytes());
        }
        int count = in.count(3);
        List<HttpPace.Release> releases = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            HttpPace.Release release = new HttpPace.Release(in.number(), in.octet() != 0, in.number());
            if (release.upTo() > body || release.messages() > said) {
                throw new IOException("a pace beyond its reply: " + release);
            }
            releases.add(release);
        }
        return new HttpPace(messages, releases, kind == ENDS);
    }

    private static void head(ReplyHead head, PackedWriter out) {
        out.text(head.version()).number(head.status()).text(head.reason());
        headers(head.headers(), out);
    }

    private static ReplyHead head(PackedReader in) throws IOException {
        return new ReplyHead(in.text(), in.number(), in.text(), headers(in));
    }

    private static void headers(List<Header> headers, PackedWriter out) {
        out.number(headers.size());
        headers.forEach(header -> out.text(header.name()).text(header.value()));
    }

    private static List<Header> headers(PackedReader in) throws IOException {
        int count = in.count(2);
        List<Header> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            headers.add(new Header(in.text(), in.text()));
        }
        return List.copyOf(headers);
    }
}
