package dev.understudy.agent.handshake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that the agent shares with the sidecar; signs with HMAC-SHA256. It stays out of every log. For any threads.
 */
public final class SharedKey {
    /** The fewest bytes that are taken for a key. */
    static final int SHORTEST = 16;

    private static final int LONGEST = 4096;
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private SharedKey(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * The key in a file, whatever bytes it has, without the white space around it.
     *
     * @throws IOException if it can't be read, or is too short or too long
     */
    public static SharedKey read(Path file) throws IOException {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LONGEST + 1);
        }
        byte[] key = new String(text, StandardCharsets.ISO_8859_1).trim().getBytes(StandardCharsets.ISO_8859_1);
        if (key.length < SHORTEST || text.length > LONGEST) {
            throw new IOException(
                    file + ": a key of " + key.length + " bytes (expected: " + SHORTEST + " to " + LONGEST + ")");
        }
        return new SharedKey(key);
    }

    /** The signature of a text, as 64 hexadecimal digits. */
    public String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return hex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(ALGORITHM, impossible);
        }
    }

    /** Whether {@code signature} is that of the text; takes as long whatever it is. */
    public boolean signed(String text, String signature) {
        return MessageDigest.isEqual(
                sign(text).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }

    static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte one : bytes) {
            hex.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
        }
        return hex.toString();
    }
}
