package dev.understudy.aggregator.http.h2;

import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;
import java.util.Base64;

/** The settings of a request to change to HTTP/2 (RFC 7540, section 3.2.1). */
final class UpgradeSettings {
    private UpgradeSettings() {}

    /** Those that are well-formed; unknown ones are left out. */
    static Http2Settings of(RequestHead head) {
        Http2Settings settings = new Http2Settings();
        String encoded = head.first("http2-settings");
        try {
            ByteBuffer payload = ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded == null ? "" : encoded));
            while (payload.remaining() >= 6) {
                char name = payload.getChar();
                long value = payload.getInt() & 0xffff_ffffL;
                if (name >= 1 && name <= 6) {
                    settings.put(name, (Long) value);
                }
            }
        } catch (IllegalArgumentException malformed) {
            settings.clear();
        }
        return settings;
    }
}
