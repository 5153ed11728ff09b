package dev.understudy.relay.accept;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.relay.Splits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes as a PROXY header: the same in any pieces, what follows is left alone, and none is waited for in vain. */
class ProxyFuzzTest {
    @FuzzTest
    void headers(byte[] input) throws Exception {
        Splits.alike(input, pieces -> {
            ByteBuf there = Unpooled.buffer();
            @Nullable String read = null;
            for (byte[] piece : pieces) {
                there.writeBytes(piece);
                read = read == null ? outcome(there) : read;
            }
            assertThat(read != null || input.length < ProxyHeaderReader.LONGEST)
                    .as("ends")
                    .isTrue();
            return read + " " + there.readableBytes();
        });
    }

    /** What was read, null if more is needed, or that it is malformed. */
    private static @Nullable String outcome(ByteBuf there) {
        int before = there.readerIndex();
        try {
            ProxyHeader header = ProxyHeaderReader.read(there);
            if (header == null) {
                assertThat(there.readerIndex()).isEqualTo(before);
                return null;
            }
            writtenAndReadAgain(header);
            return header.source() + " " + header.destination() + " " + Arrays.toString(header.fields());
        } catch (ProxyHeaderReader.Malformed refused) {
            assertThat(there.readerIndex()).isEqualTo(before);
            return "malformed";
        }
    }

    private static void writtenAndReadAgain(ProxyHeader header) throws ProxyHeaderReader.Malformed {
        for (ProxyProtocolConfig.Version version : ProxyProtocolConfig.Version.values()) {
            ProxyHeader again =
                    Objects.requireNonNull(ProxyHeaderReader.read(Unpooled.wrappedBuffer(header.encode(version))));
            assertThat(again.source()).isEqualTo(header.source());
            assertThat(again.destination()).isEqualTo(header.destination());
        }
    }
}
