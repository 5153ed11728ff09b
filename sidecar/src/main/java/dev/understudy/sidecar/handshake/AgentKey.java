package dev.understudy.sidecar.handshake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that agents share with the sidecar, or none; signs with HMAC-SHA256. It stays out of every log. For any
 * threads.
 */
public final class AgentKey {
    /** Agents have to be told by their operator where they are. */
    public static final AgentKey NONE = new AgentKey(new byte[0]);

    private static final int SHORTEST = 16;
    private static final int LONGEST = 4096;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    private AgentKey(byte[] key) {
        this.key = key;
    }

    /**
     * The key in a file, whatever bytes it has, without the white space around it.
     *
     * @throws IOException if it can't be read
     * @throws IllegalArgumentException if it is too short or too long; the message doesn't show it
     */
    public static AgentKey read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(in.readNBytes(LONGEST + 1));
        }
    }

    static AgentKey of(byte[] text) {
        byte[] key = new String(text, StandardCharsets.ISO_8859_1).trim().getBytes(StandardCharsets.ISO_8859_1);
        if (key.length < SHORTEST || text.length > LONGEST) {
            throw new IllegalArgumentException(
                    "a key of " + key.length + " bytes (expected: " + SHORTEST + " to " + LONGEST + ")");
        }
        return new AgentKey(key);
    }

    /** Whether there is one. */
    public boolean isSet() {
        return key.length > 0;
    }

    /** The signature of a text, as 64 hexadecimal digits. */
    public String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(ALGORITHM, impossible);
        }
    }

    boolean signed(String text, String signature) {
        return MessageDigest.isEqual(
                sign(text).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return isSet() ? "set" : "none";
    }
}
