package dev.understudy.relay.connect;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OriginalDestinationTest {
    private static ByteBuffer hex(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void kernelsStructures_areRead() {
        assertThat(OriginalDestination.parse(hex("0200 1e61 0a630001 0000000000000000"), false))
                .isEqualTo(new InetSocketAddress("10.99.0.1", 7777));
        assertThat(OriginalDestination.parse(hex("0a00 1e61 00000000 20010db8000000000000000000000001 00000000"), true))
                .isEqualTo(new InetSocketAddress("2001:db8::1", 7777));
        assertThat(OriginalDestination.parse(hex("0200 0000 0a630001 0000000000000000"), false))
                .as("no port")
                .isNull();
        assertThat(OriginalDestination.parse(hex("0200 1e61"), false)).as("cut").isNull();
    }
}
