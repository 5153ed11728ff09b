package dev.understudy.sidecar.trace;

import java.util.function.Consumer;

/**
 * Reads agents' spans from OTLP's Protocol Buffers (opentelemetry-proto, trace/v1/trace.proto), as far as they can be
 * read. JSON and compressed bodies, which our agent doesn't send, have none.
 */
public final class OtlpSpans {
    /** A longer body isn't read: an agent sends at most 512 spans at once. */
    static final int LONGEST_BODY = 1 << 20;

    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_KEY = 40;

    private OtlpSpans() {}

    /** Gives {@code spans} all that are in a body. */
    public static void read(byte[] body, Consumer<CallSpan> spans) {
        if (body.length > LONGEST_BODY) {
            return;
        }
        WireCursor request = new WireCursor(body);
        while (request.next()) {
            if (request.isCounted(1)) {
                resource(request.inside(), spans);
            }
        }
    }

    private static void resource(WireCursor resource, Consumer<CallSpan> spans) {
        while (resource.next()) {
            if (resource.isCounted(2)) {
                scope(resource.inside(), spans);
            }
        }
    }

    private static void scope(WireCursor scope, Consumer<CallSpan> spans) {
        while (scope.next()) {
            if (scope.isCounted(2)) {
                span(scope.inside(), spans);
            }
        }
    }

    private static void span(WireCursor span, Consumer<CallSpan> spans) {
        long high = 0;
        long low = 0;
        long id = 0;
        long parent = 0;
        String name = "";
        String function = "";
        String thrown = "";
        long begun = 0;
        long ended = 0;
        while (span.next()) {
            if (span.isCounted(1) && span.length() == 16) {
                high = span.number(0);
                low = span.number(8);
            } else if (span.isCounted(2) && span.length() == 8) {
                id = span.number(0);
            } else if (span.isCounted(4) && span.length() == 8) {
                parent = span.number(0);
            } else if (span.isCounted(5)) {
                name = span.text(LONGEST_NAME);
            } else if (span.isFixed(7)) {
                begun = span.value();
            } else if (span.isFixed(8)) {
                ended = span.value();
            } else if (span.isCounted(9)) {
                String[] attribute = attribute(span.inside());
                function = attribute[0].equals("code.function.name") ? attribute[1] : function;
                thrown = attribute[0].equals("exception.type") ? attribute[1] : thrown;
            }
        }
        if (id != 0 && (high != 0 || low != 0)) {
            spans.accept(
                    new CallSpan(high, low, id, parent, function.isEmpty() ? name : function, begun, ended, thrown));
        }
    }

    /** Its key, and its value if that is a text. */
    private static String[] attribute(WireCursor attribute) {
        String[] read = {"", ""};
        while (attribute.next()) {
            if (attribute.isCounted(1)) {
                read[0] = attribute.text(LONGEST_KEY);
            } else if (attribute.isCounted(2)) {
                WireCursor value = attribute.inside();
                while (value.next()) {
                    read[1] = value.isCounted(1) ? value.text(LONGEST_NAME) : read[1];
                }
            }
        }
        return read;
    }
}
