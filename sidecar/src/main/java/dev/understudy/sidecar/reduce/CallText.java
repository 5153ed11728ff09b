package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import java.nio.charset.StandardCharsets;

/** Requests as people read them; credentials are masked. Stateless. */
public final class CallText {
    private static final int MOST_BODY_SHOWN = 2_000;

    private final Masking masking;

    public CallText(Masking masking) {
        this.masking = masking;
    }

    /** Method and target. */
    public String line(HttpCall call) {
        return call.head().method() + " " + masking.target(call.head().target());
    }

    /** All of it; of a long body the beginning. */
    public String text(HttpCall call) {
        StringBuilder text =
                new StringBuilder(line(call)).append(' ').append(call.head().version());
        for (Header header : call.head().headers()) {
            text.append('\n').append(header.name()).append(": ").append(masking.header(header.name(), header.value()));
        }
        if (call.body().length > 0) {
            String body = new String(call.body(), StandardCharsets.UTF_8);
            String shown = body.length() > MOST_BODY_SHOWN ? body.substring(0, MOST_BODY_SHOWN) + " ..." : body;
            text.append("\n\n").append(masking.within(shown));
        }
        return text.toString();
    }

    /** A part of one, as {@link Reduction.Need} names it. */
    public String part(String part) {
        return masking.within(part);
    }
}
