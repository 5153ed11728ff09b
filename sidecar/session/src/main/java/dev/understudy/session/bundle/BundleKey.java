package dev.understudy.session.bundle;

import com.google.crypto.tink.StreamingAead;
import com.google.crypto.tink.subtle.AesGcmHkdfStreaming;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A secret that bundles are encrypted with: 32 random bytes in a file of its owner's.
 *
 * <p>An encrypted bundle is a line that says what it is, and then a stream of segments of 1 MiB (AES-256-GCM, a key of
 * each file's own by HKDF, as Tink writes it). No segment can be changed, left out or cut off unnoticed.
 */
final class BundleKey {
    private static final byte[] BEGIN = "understudy encrypted bundle 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern TEXT = Pattern.compile("understudy bundle key 1 ([A-Za-z0-9+/]{43}=)\\s*");
    private static final int LENGTH = 32;
    private static final int LONGEST_FILE = 1024;
    private static final int SEGMENT = 1 << 20;
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final StreamingAead cipher;

    private BundleKey(byte[] secret) {
        try {
            cipher = new AesGcmHkdfStreaming(secret, "HmacSha256", LENGTH, SEGMENT, 0);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this Java lacks AES-GCM or HMAC-SHA-256", impossible);
        }
    }

    /**
     * Writes a new one to a new file that only its owner can read.
     *
     * @throws BundleException if the file is there already
     */
    static void create(Path file) throws IOException {
        byte[] secret = new byte[LENGTH];
        new SecureRandom().nextBytes(secret);
        writeNew(file, "understudy bundle key 1 " + Base64.getEncoder().encodeToString(secret) + "\n");
    }

    /** Writes a new file that only its owner can read. */
    static void writeNew(Path file, String text) throws IOException {
        try (OutputStream out = Channels.newOutputStream(Files.newByteChannel(file, NEW, OwnerOnly.file()))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (FileAlreadyExistsException there) {
            throw new BundleException(file + ": is there already (expected: the name of a new file)", there);
        }
    }

    /**
     * Reads one.
     *
     * @throws BundleException if the file holds none; nothing of it is in the message
     */
    static BundleKey read(Path file) throws IOException {
        Matcher text = TEXT.matcher(beginning(file));
        if (!text.matches()) {
            throw new BundleException(file + ": no key of bundles (expected: a file that understudy bundle key made)");
        }
        return new BundleKey(Base64.getDecoder().decode(text.group(1)));
    }

    /** The first KiB of a small file. */
    static String beginning(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST_FILE), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException missing) {
            throw new BundleException(file + ": no such file", missing);
        }
    }

    /** Whether a file begins as an encrypted bundle does. */
    static boolean isEncrypted(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(BEGIN.length), BEGIN);
        }
    }

    /** Encrypts what is written to it; whole once it is closed, which closes {@code to}. */
    OutputStream encrypting(OutputStream to) throws IOException {
        to.write(BEGIN);
        try {
            return cipher.newEncryptingStream(to, BEGIN);
        } catch (GeneralSecurityException impossible) {
            throw new IOException(impossible);
        }
    }

    /**
     * Decrypts a bundle into a new file.
     *
     * @throws BundleException if it was encrypted with another key, or is damaged
     */
    void decrypt(Path bundle, Path to) throws IOException {
        if (Files.size(bundle) > BundleLimits.MOST_ENCRYPTED) {
            throw new BundleException(bundle + ": " + Files.size(bundle) + " bytes (expected: at most "
                    + BundleLimits.MOST_ENCRYPTED + ")");
        }
        try (InputStream in = Files.newInputStream(bundle);
                OutputStream out = Channels.newOutputStream(Files.newByteChannel(to, NEW, OwnerOnly.file()))) {
            in.skipNBytes(BEGIN.length);
            InputStream plain = cipher.newDecryptingStream(in, BEGIN);
            byte[] part = new byte[1 << 16];
            for (int read = read(bundle, plain, part); read >= 0; read = read(bundle, plain, part)) {
                out.write(part, 0, read);
            }
        } catch (GeneralSecurityException impossible) {
            throw new IOException(impossible);
        }
    }

    /** What goes wrong where the bytes go to is no damage of the bundle. */
    private static int read(Path bundle, InputStream plain, byte[] part) throws IOException {
        try {
            return plain.read(part);
        } catch (IOException unreadable) {
            throw new BundleException(
                    bundle + ": can't be decrypted: another key encrypted it, or it is damaged", unreadable);
        }
    }
}
