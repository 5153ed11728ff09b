package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Requests as people read them; credentials are masked. Stateless. */
public final class CallText {
    private static final int MOST_BODY_SHOWN = 2_000;
    private static final int MOST_PART_SHOWN = 200;

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

    /** A part of one. Cookies are never shown, and of pieces the length: half a secret has no form that tells it. */
    public String part(InputPart part) {
        String shown = switch (part.kind()) {
            case EARLIER_REQUEST -> masking.target(part.value());
            case HEADER -> masking.header(part.name(), part.value());
            case COOKIE -> part.value().isEmpty() ? "" : Masking.MASK;
            case PARAMETER, FORM_FIELD ->
                masking.isSecret(part.name())
                        ? Masking.MASK
                        : masking.target("?" + part.name() + "=" + part.value())
                                .substring(part.name().length() + 2);
            case JSON -> isSecret(part.name()) ? Masking.MASK : masking.within(part.value());
            case PIECE -> part.value().length() + " characters of the body";
        };
        String words = part.words(shown);
        return words.length() <= MOST_PART_SHOWN ? words : words.substring(0, MOST_PART_SHOWN) + " ...";
    }

    /** Whether any member on the way to it may hold a secret. */
    private boolean isSecret(String pointer) {
        return Arrays.stream(pointer.split("/", -1)).anyMatch(masking::isSecret);
    }
}
