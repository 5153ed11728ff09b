package dev.understudy.divergence.wire.postgres;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Keeps what a framer reports as text, and counts the bytes it accounts for. */
class Cut implements PgSink {
    final List<String> seen = new ArrayList<>();
    long raw;

    /** Which types are taken where a message is too long. */
    String taken = "";

    @Override
    public @Nullable MessageTaker large(char type, int length) {
        if (taken.indexOf(type) < 0) {
            return null;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        return new MessageTaker() {
            @Override
            public void bytes(ByteBuffer some) {
                byte[] copy = new byte[some.remaining()];
                some.get(copy);
                body.writeBytes(copy);
            }

            @Override
            public void end(int rawLength) {
                assertThat(body.size()).isEqualTo(length).isEqualTo(rawLength - PgMessage.HEADER);
                seen.add("taken " + new PgMessage(type, body.toByteArray()).hashCode());
                raw += rawLength;
            }
        };
    }

    @Override
    public void startup(StartupPacket packet, int rawLength) {
        seen.add(packet.kind() + " " + new TreeMap<>(packet.parameters()) + " " + packet.processId());
        raw += rawLength;
    }

    @Override
    public void encryptionAnswer(char answer, int rawLength) {
        seen.add("answer " + answer);
        raw += rawLength;
    }

    @Override
    public void message(PgMessage message, int rawLength) {
        seen.add(message + " " + message.hashCode());
        raw += rawLength;
    }

    @Override
    public void oversized(char type, long rawLength) {
        seen.add("oversized " + type + " " + rawLength);
        raw += rawLength;
    }

    @Override
    public void unframed(String reason, int rawLength) {
        String last = seen.isEmpty() ? "" : seen.get(seen.size() - 1);
        if (!last.equals("unframed " + reason)) {
            seen.add("unframed " + reason);
        }
        raw += rawLength;
    }
}
