package dev.understudy.session.bundle;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a bundle: the manifest, then the entries by their names. Each source is read twice, for its sum and for the
 * file; one that changed in between makes no bundle. Confined to one thread.
 */
final class BundleWriter {
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final SortedMap<String, Source> sources = new TreeMap<>();
    private final Map<String, Look> looks = new TreeMap<>();
    private @Nullable BundleKey key;
    private @Nullable PrivateKey signer;

    /** Where an entry's bytes come from, as often as they are wanted. */
    private interface Source {
        InputStream open() throws IOException;
    }

    /** What the first look at a source found. */
    private record Look(BundleManifest.Entry entry, long crc, boolean stored) {}

    void add(String name, byte[] bytes) {
        sources.put(name, () -> new ByteArrayInputStream(bytes));
    }

    void add(String name, Path file) throws BundleException {
        if (!BundleLimits.isName(name)) {
            throw new BundleException(file + ": a file that no journal has (expected: an aggregator's disk-directory)");
        }
        sources.put(name, () -> Files.newInputStream(file));
    }

    /** Encrypts the bundle. */
    void encryptWith(BundleKey own) {
        key = own;
    }

    /** Signs its manifest. */
    void signWith(PrivateKey own) {
        signer = own;
    }

    /**
     * Writes all to a new file that only its owner can read; if that fails, the file is removed.
     *
     * @throws BundleException if it exists, or is more than a bundle may have
     */
    void write(Path file, Instant created, String version) throws IOException {
        List<BundleManifest.Entry> entries = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, Source> source : sources.entrySet()) {
            Look look = look(source.getKey(), source.getValue());
            looks.put(source.getKey(), look);
            entries.add(look.entry);
            bytes += look.entry.bytes();
            if (bytes > BundleLimits.MOST_BYTES || entries.size() > BundleLimits.MOST_ENTRIES) {
                throw new BundleException("too much for a bundle (expected: at most " + BundleLimits.MOST_BYTES
                        + " bytes in " + BundleLimits.MOST_ENTRIES
                        + " entries; record a shorter time, or set journal.age lower)");
            }
        }
        BundleManifest manifest =
                new BundleManifest(created, version, Runtime.version().toString(), entries);
        try (OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file()))) {
            writeOrRemove(file, out, manifest);
        } catch (FileAlreadyExistsException there) {
            throw new BundleException(file + ": is there already (expected: the name of a new file)", there);
        }
    }

    private void writeOrRemove(Path file, OutputStream out, BundleManifest manifest) throws IOException {
        try {
            OutputStream outer = key == null ? out : key.encrypting(out);
            ZipOutputStream zip = new ZipOutputStream(outer);
            byte[] listed = manifest.json();
            text(zip, BundleLimits.MANIFEST, listed);
            if (signer != null) {
                text(zip, BundleLimits.SIGNATURE, BundleSignature.sign(listed, signer));
            }
            for (Map.Entry<String, Look> each : looks.entrySet()) {
                Source source = sources.get(each.getKey());
                if (source != null) {
                    entry(zip, each.getValue(), source);
                }
            }
            zip.close();
        } catch (IOException | RuntimeException failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
    }

    private static void text(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private static Look look(String name, Source source) throws IOException {
        MessageDigest sum = Sha256.digest();
        CRC32 crc = new CRC32();
        Counter packed = new Counter();
        long bytes;
        try (InputStream in = source.open();
                OutputStream out = new DeflaterOutputStream(packed)) {
            bytes = in.transferTo(new CheckedOutputStream(new DigestOutputStream(out, sum), crc));
        }
        String digits = HexFormat.of().formatHex(sum.digest());
        boolean stored = BundleLimits.isBomb(bytes, packed.bytes / 2);
        return new Look(new BundleManifest.Entry(name, bytes, digits), crc.getValue(), stored);
    }

    private static void entry(ZipOutputStream zip, Look look, Source source) throws IOException {
        ZipEntry entry = new ZipEntry(look.entry.name());
        entry.setTimeLocal(NO_TIME);
        if (look.stored) {
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(look.entry.bytes());
            entry.setCrc(look.crc);
        }
        MessageDigest sum = Sha256.digest();
        zip.putNextEntry(entry);
        try (InputStream in = source.open()) {
            byte[] part = new byte[1 << 16];
            for (long left = look.entry.bytes(); left > 0; ) {
                int read = in.read(part, 0, (int) Math.min(part.length, left));
                if (read < 0) {
                    break;
                }
                zip.write(part, 0, read);
                sum.update(part, 0, read);
                left -= read;
            }
            if (in.read() >= 0 || !HexFormat.of().formatHex(sum.digest()).equals(look.entry.sha256())) {
                throw new BundleException(look.entry.name()
                        + ": changed while it was read (expected: a recording that was stopped, and a journal that"
                        + " nobody writes)");
            }
        }
        zip.closeEntry();
    }

    /** Counts what is written to it. */
    private static final class Counter extends OutputStream {
        private long bytes;

        @Override
        public void write(int octet) {
            bytes++;
        }

        @Override
        public void write(byte[] octets, int from, int length) {
            bytes += length;
        }
    }
}
