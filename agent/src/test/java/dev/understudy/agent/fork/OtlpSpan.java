package dev.understudy.agent.fork;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;

/** A span as it stands in an OTLP export request (opentelemetry-proto, trace.proto). */
record OtlpSpan(String trace, String id, String parent, String name, long start, long end, String service) {
    static List<OtlpSpan> parse(byte[] request) {
        List<OtlpSpan> spans = new ArrayList<>();
        fields(ByteBuffer.wrap(request), (one, resourceSpans) -> {
            String[] service = {""};
            fields(view(resourceSpans), (field, value) -> {
                if (field == 1) {
                    fields(view(value), (attribute, pair) -> service[0] = serviceName(pair, service[0]));
                }
            });
            fields(view(resourceSpans), (field, scopeSpans) -> {
                if (field == 2) {
                    fields(view(scopeSpans), (two, span) -> {
                        if (two == 2) {
                            spans.add(span(view(span), service[0]));
                        }
                    });
                }
            });
        });
        return spans;
    }

    private static String serviceName(ByteBuffer pair, String before) {
        String text = StandardCharsets.ISO_8859_1.decode(pair.duplicate()).toString();
        int at = text.indexOf("service.name");
        // key, then value (field 2) holding string_value (field 1) with its length
        return at < 0 ? before : text.substring(at + 12 + 4);
    }

    private static OtlpSpan span(ByteBuffer span, String service) {
        String[] text = new String[8];
        long[] times = new long[9];
        fields(span, (field, value) -> {
            if (field == 1 || field == 2 || field == 4) {
                byte[] bytes = new byte[value.remaining()];
                value.get(bytes);
                text[field] = HexFormat.of().formatHex(bytes);
            } else if (field == 5) {
                text[field] = StandardCharsets.UTF_8.decode(value).toString();
            } else if (field == 7 || field == 8) {
                times[field] = value.order(ByteOrder.LITTLE_ENDIAN).getLong();
            }
        });
        return new OtlpSpan(text[1], text[2], text[4], text[5], times[7], times[8], service);
    }

    private static ByteBuffer view(ByteBuffer bytes) {
        return bytes.duplicate();
    }

    private static void fields(ByteBuffer message, BiConsumer<Integer, ByteBuffer> each) {
        while (message.hasRemaining()) {
            int tag = (int) varint(message);
            int length = switch (tag & 7) {
                case 0 -> {
                    varint(message);
                    yield 0;
                }
                case 1 -> 8;
                case 2 -> (int) varint(message);
                case 5 -> 4;
                default -> throw new IllegalArgumentException("tag: " + tag);
            };
            each.accept(tag >>> 3, message.slice(message.position(), length));
            message.position(message.position() + length);
        }
    }

    private static long varint(ByteBuffer message) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = message.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
