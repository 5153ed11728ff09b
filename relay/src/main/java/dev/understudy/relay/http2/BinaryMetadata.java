package dev.understudy.relay.http2;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's metadata in bytes. Ends of its C core agree, by a setting of their own (0xfe03), to send values of
 * {@code -bin} names as a NUL and the bytes, instead of in Base64. Other values have no NUL (RFC 9113, section 8.2.1).
 */
final class BinaryMetadata {
    private static final String SUFFIX = "-bin";

    private BinaryMetadata() {}

    /** The same headers with such values in Base64; null if another value isn't allowed. */
    static @Nullable Http2Headers encoded(Http2Headers headers) {
        boolean any = false;
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            if (isBinary(field.getKey(), field.getValue())) {
                any = true;
            } else if (HttpHeaderValidationUtil.validateValidHeaderValue(field.getValue()) >= 0) {
                return null;
            }
        }
        if (!any) {
            return headers;
        }
        Http2Headers encoded = new DefaultHttp2Headers(false);
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            CharSequence value = field.getValue();
            encoded.add(field.getKey(), isBinary(field.getKey(), value) ? base64(value) : value);
        }
        return encoded;
    }

    private static boolean isBinary(CharSequence name, CharSequence value) {
        return value.length() > 0 && value.charAt(0) == 0 && name.toString().endsWith(SUFFIX);
    }

    /** Without padding, as gRPC writes it. */
    private static String base64(CharSequence value) {
        byte[] bytes = new byte[value.length() - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) value.charAt(i + 1);
        }
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }
}
