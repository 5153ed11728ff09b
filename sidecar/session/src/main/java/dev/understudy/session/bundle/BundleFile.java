package dev.understudy.session.bundle;

import dev.understudy.divergence.content.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A bundle that somebody has given us: nothing in it is believed before it was checked.
 *
 * <p>Its entries are those of the manifest, each once, with names that lead nowhere else; sizes, their sum and how much
 * longer they become are bounded before one byte is unpacked. Every reading ends at the manifest's size and compares
 * the sum. Confined to one thread.
 */
final class BundleFile implements AutoCloseable {
    private static final int END = 22;
    private static final int END_SIGNATURE = 0x06054b50;

    private final Path file;
    private final ZipFile zip;
    private final Map<String, ZipEntry> entries;
    private final BundleManifest manifest;
    private final boolean signed;

    private BundleFile(Path file, ZipFile zip, Map<String, ZipEntry> entries, BundleManifest manifest, boolean signed) {
        this.file = file;
        this.zip = zip;
        this.entries = entries;
        this.manifest = manifest;
        this.signed = signed;
    }

    /**
     * Opens a bundle and checks all but the entries' sums.
     *
     * @param plain the bundle, not encrypted
     * @param file the one that was given, for messages and its size
     * @param signer who has to have signed it; null for anybody or nobody
     * @throws BundleException if it isn't one, is damaged, wants more than it may, or isn't signed so
     */
    static BundleFile open(Path plain, Path file, @Nullable PublicKey signer) throws IOException {
        ZipFile zip = null;
        try {
            checkEnd(plain);
            zip = new ZipFile(plain.toFile());
            Map<String, ZipEntry> entries = entries(plain, zip);
            ZipEntry first = entries.remove(BundleLimits.MANIFEST);
            if (first == null) {
                throw new BundleException("no " + BundleLimits.MANIFEST + " in it");
            }
            byte[] listed = text(zip, first);
            ZipEntry signature = entries.remove(BundleLimits.SIGNATURE);
            if (signer != null) {
                checkSigned(listed, signature == null ? null : text(zip, signature), signer);
            }
            BundleManifest manifest = BundleManifest.parse(listed);
            checkListed(entries, manifest);
            return new BundleFile(file, zip, entries, manifest, signature != null);
        } catch (IOException | RuntimeException refused) {
            if (zip != null) {
                zip.close();
            }
            throw refusal(file, refused);
        }
    }

    private static IOException refusal(Path file, Exception refused) {
        if (refused instanceof IOException unreadable && !Files.isReadable(file)) {
            return unreadable instanceof NoSuchFileException
                    ? new BundleException(file + ": no such file", unreadable)
                    : unreadable;
        }
        String why = refused instanceof BundleException
                ? refused.getMessage()
                : "damaged, or no bundle: " + BundleManifest.shortened(String.valueOf(refused.getMessage()));
        return new BundleException(file + ": " + why, refused);
    }

    /** The list of entries is read into memory whole: its size is looked at before. */
    private static void checkEnd(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer end = ByteBuffer.allocate(END).order(ByteOrder.LITTLE_ENDIAN);
            long at = channel.size() - END;
            while (at >= 0 && end.hasRemaining() && channel.read(end, at + end.position()) > 0) {
                // on to the rest
            }
            if (end.hasRemaining() || end.getInt(0) != END_SIGNATURE) {
                throw new BundleException("cut off, or no bundle: its last " + END + " bytes aren't a bundle's end");
            }
            int count = Short.toUnsignedInt(end.getShort(10));
            long directory = Integer.toUnsignedLong(end.getInt(12));
            // with the manifest and its signature
            if (count > BundleLimits.MOST_ENTRIES + 2 || directory > BundleLimits.MOST_DIRECTORY) {
                throw new BundleException(count + " entries, listed in " + directory + " bytes (expected: at most "
                        + BundleLimits.MOST_ENTRIES + ", in " + BundleLimits.MOST_DIRECTORY + ")");
            }
        }
    }

    private static Map<String, ZipEntry> entries(Path file, ZipFile zip) throws IOException {
        Map<String, ZipEntry> entries = new HashMap<>();
        long bytes = 0;
        long packed = 0;
        for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
            ZipEntry entry = all.nextElement();
            String name = entry.getName();
            boolean listing = name.equals(BundleLimits.MANIFEST) || name.equals(BundleLimits.SIGNATURE);
            if (!listing && !BundleLimits.isName(name)) {
                throw new BundleException("'" + BundleManifest.shortened(name) + "' is no entry's name");
            }
            if (entries.put(name, entry) != null) {
                throw new BundleException(name + " is there twice");
            }
            if (entry.getSize() < 0 || BundleLimits.isBomb(entry.getSize(), entry.getCompressedSize())) {
                throw new BundleException(name + " becomes " + entry.getSize() + " bytes from "
                        + entry.getCompressedSize() + " (expected: at most " + BundleLimits.MOST_RATIO
                        + " times as many)");
            }
            bytes += entry.getSize();
            packed += entry.getCompressedSize();
            if (bytes > BundleLimits.MOST_BYTES + BundleLimits.MOST_TEXT || packed > Files.size(file)) {
                throw new BundleException("its entries want more than there is, at " + name);
            }
        }
        return entries;
    }

    private static void checkSigned(byte[] listed, byte @Nullable [] signature, PublicKey signer)
            throws BundleException {
        if (signature == null) {
            throw new BundleException("not signed (expected: by the key of --signed-by)");
        }
        if (!BundleSignature.verifies(listed, signature, signer)) {
            throw new BundleException("not signed by the key of --signed-by, or changed since");
        }
    }

    private static void checkListed(Map<String, ZipEntry> entries, BundleManifest manifest) throws BundleException {
        if (entries.size() > manifest.entries().size()) {
            throw new BundleException("it has entries that " + BundleLimits.MANIFEST + " doesn't list");
        }
        for (BundleManifest.Entry listed : manifest.entries()) {
            ZipEntry there = entries.get(listed.name());
            if (there == null) {
                throw new BundleException(listed.name() + " is missing");
            }
            if (there.getSize() != listed.bytes()) {
                throw new BundleException(listed.name() + " has " + there.getSize() + " bytes (expected: "
                        + listed.bytes() + ", as " + BundleLimits.MANIFEST + " says)");
            }
        }
    }

    private static byte[] text(ZipFile zip, ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] text = in == null ? new byte[0] : in.readNBytes(BundleLimits.MOST_TEXT + 1);
            if (text.length > BundleLimits.MOST_TEXT) {
                throw new BundleException(entry.getName() + " is longer than " + BundleLimits.MOST_TEXT + " bytes");
            }
            return text;
        }
    }

    BundleManifest manifest() {
        return manifest;
    }

    /** Whether anybody has signed it. */
    boolean isSigned() {
        return signed;
    }

    /** Bytes of the whole file. */
    long size() throws IOException {
        return Files.size(file);
    }

    /** The upstreams' settings. */
    BundleUpstreams upstreams() throws IOException {
        try {
            ZipEntry entry = entries.get(BundleLimits.UPSTREAMS);
            if (entry == null) {
                throw new BundleException(BundleLimits.UPSTREAMS + " is missing");
            }
            return BundleUpstreams.ofJson(text(zip, entry));
        } catch (IOException | RuntimeException wrong) {
            throw refusal(file, wrong);
        }
    }

    /** Files of an upstream's journal. */
    List<BundleManifest.Entry> journal(BundleUpstreams.Settings upstream) {
        String folder = BundleLimits.JOURNAL + upstream.folder() + '/';
        return manifest.entries().stream()
                .filter(entry -> entry.name().startsWith(folder))
                .toList();
    }

    /** Names of all entries. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        manifest.entries().forEach(entry -> names.add(entry.name()));
        return names;
    }

    /**
     * Writes an entry's bytes to {@code to}.
     *
     * @throws BundleException if they aren't those of the manifest; some were written then
     */
    void copy(BundleManifest.Entry entry, OutputStream to) throws IOException {
        MessageDigest sum = Sha256.digest();
        long left = entry.bytes();
        try (InputStream in = opened(entries.get(entry.name()))) {
            byte[] part = new byte[1 << 16];
            for (int read = read(in, part); read >= 0; read = read(in, part)) {
                left -= read;
                if (left < 0) {
                    throw refusal(file, new BundleException(entry.name() + " is longer than it says"));
                }
                sum.update(part, 0, read);
                to.write(part, 0, read);
            }
        }
        if (left > 0 || !HexFormat.of().formatHex(sum.digest()).equals(entry.sha256())) {
            throw refusal(file, new BundleException(entry.name() + ": its sum is wrong, it is damaged or was changed"));
        }
    }

    private InputStream opened(@Nullable ZipEntry there) throws IOException {
        try {
            InputStream in = there == null ? null : zip.getInputStream(there);
            return in == null ? InputStream.nullInputStream() : in;
        } catch (IOException | RuntimeException damaged) {
            throw refusal(file, damaged);
        }
    }

    /** What goes wrong where its bytes go to is no damage of the bundle. */
    private int read(InputStream in, byte[] part) throws IOException {
        try {
            return in.read(part);
        } catch (IOException | RuntimeException damaged) {
            throw refusal(file, damaged);
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
