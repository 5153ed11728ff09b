package dev.understudy.agent.cache;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was made of each class file in a file of a folder, from one run of a JVM to the next.
 *
 * <p>The file is read as a whole when it is opened and replaced as a whole later. What is damaged in it, or was made by
 * another build of the agent, is as good as absent. File and memory stay under {@link #MOST_BYTES}; a minute after it
 * was last of use nothing is held in memory. Safe for any threads, guarded by this object.
 */
public final class WovenCache {
    /** How large the file can become. */
    static final int MOST_BYTES = 96 << 20;

    /** So many ticks without any use, and memory is given back. */
    static final int AWAKE_TICKS = 60;

    private static final long MAGIC = 0x756e646572776f76L;
    private static final int HEADER = 16;
    private static final int ENTRY = 20;
    private static final int KEY = 8;
    private static final String WOVEN = "woven";
    private static final String JDK = "jdk";

    /** Of a class file of which nothing was made: it stays as it is. */
    public static final byte[] NOTHING = {};

    private final @Nullable Path file;
    private final boolean writable;
    private final long maker;
    private final Map<Long, Entry> entries = new HashMap<>();
    private long held;
    private boolean unsaved;
    private boolean busy;
    private int idleTicks;

    private WovenCache(@Nullable Path file, boolean writable, long maker) {
        this.file = file;
        this.writable = writable;
        this.maker = maker;
    }

    /** One that keeps nothing. */
    public static WovenCache none() {
        return new WovenCache(null, false, 0);
    }

    /**
     * The cache in {@code folder} of what the agent's build in {@code jar} makes: nobody else's is of use.
     *
     * @throws IOException as {@link #open}, or if the jar can't be read
     */
    public static WovenCache of(Path folder, Path jar) throws IOException {
        return of(folder, jar, true);
    }

    /**
     * The same.
     *
     * @param locks whether what is made tells of locks, as it does otherwise
     * @throws IOException as {@link #open}, or if the jar can't be read
     */
    public static WovenCache of(Path folder, Path jar, boolean locks) throws IOException {
        CRC32 build = JarBuild.of(jar);
        build.update(locks ? 1 : 0);
        return open(folder, build.getValue());
    }

    /**
     * The same for classes of the JDK, in a file of their own.
     *
     * @throws IOException as {@link #open}, or if the jar can't be read
     */
    public static WovenCache ofJdk(Path folder, Path jar) throws IOException {
        return open(folder, JDK, JarBuild.of(jar).getValue());
    }

    /**
     * The cache in {@code folder}, which is made if it isn't there.
     *
     * @param maker stands for everything but the class file that decides what is made of it
     * @throws IOException if the folder can't be used, or others than this user and root can write to it
     */
    public static WovenCache open(Path folder, long maker) throws IOException {
        return open(folder, WOVEN, maker);
    }

    private static WovenCache open(Path folder, String name, long maker) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        Set<PosixFilePermission> permissions = attributes.permissions();
        String owner = attributes.owner().getName();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || !(owner.equals("root") || owner.equals(System.getProperty("user.name")))) {
            throw new IOException(folder + ": " + owner + "'s, " + PosixFilePermissions.toString(permissions)
                    + " (expected: a folder that only this user can write to)");
        }
        WovenCache cache = new WovenCache(folder.resolve(name), Files.isWritable(folder), maker);
        cache.read();
        return cache;
    }

    /** Whether it keeps anything new. */
    public boolean keeps() {
        return writable;
    }

    /** Whether nothing is there. */
    public synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /** What was kept for a class file, or null. */
    public synchronized byte @Nullable [] find(byte[] classFile) {
        return entries.isEmpty() ? null : find(key(classFile), classFile);
    }

    /**
     * What was kept for a class file of that name, or null; of each name {@link #keep(String, byte[], byte[])} keeps
     * the latest alone.
     */
    public synchronized byte @Nullable [] find(String name, byte[] classFile) {
        byte[] made = entries.isEmpty() ? null : find(key(name), classFile);
        if (made == null
                || made.length < KEY
                || ByteBuffer.wrap(made, made.length - KEY, KEY).getLong() != key(classFile)) {
            return null;
        }
        return Arrays.copyOf(made, made.length - KEY);
    }

    private byte @Nullable [] find(long key, byte[] classFile) {
        Entry entry = entries.get(key);
        byte[] made = entry == null || entry.madeOf != classFile.length ? null : entry.made();
        if (entry != null && made != null) {
            entry.used = true;
            busy = true;
        }
        return made;
    }

    /**
     * Keeps what was made of a class file, as long as there is room; the caller must not change {@code made} any more.
     */
    public void keep(byte[] classFile, byte[] made) {
        keep(key(classFile), classFile, made);
    }

    /** The same by the class's name: what was kept of another class file of that name goes. */
    public void keep(String name, byte[] classFile, byte[] made) {
        byte[] checked = Arrays.copyOf(made, made.length + KEY);
        ByteBuffer.wrap(checked, made.length, KEY).putLong(key(classFile));
        keep(key(name), classFile, checked);
    }

    private synchronized void keep(long key, byte[] classFile, byte[] made) {
        if (!writable || HEADER + held + ENTRY + made.length > MOST_BYTES) {
            return;
        }
        put(key, new Entry(classFile.length, made, 0, made.length, crc(made, 0, made.length), true));
        unsaved = true;
        busy = true;
    }

    /**
     * Writes what is new once nothing has come for a tick. To be called about once a second, by a thread that may wait
     * for the disk.
     *
     * @throws IOException if it can't be written; it isn't tried again before something new comes
     */
    public void tick() throws IOException {
        if (file != null && settled()) {
            write();
        }
    }

    /** The same of several; {@code problems} gets what went wrong. */
    public static void tick(List<WovenCache> caches, Consumer<String> problems) {
        for (WovenCache cache : caches) {
            try {
                cache.tick();
            } catch (IOException | RuntimeException problem) {
                problems.accept("woven classes aren't kept: " + problem);
            }
        }
    }

    /**
     * Writes what is new at once.
     *
     * @throws IOException if it can't be written
     */
    public void save() throws IOException {
        write();
    }

    private synchronized boolean settled() {
        boolean was = busy;
        busy = false;
        idleTicks = was ? 0 : idleTicks + 1;
        if (!was && unsaved) {
            unsaved = false;
            return true;
        }
        if (idleTicks > AWAKE_TICKS) {
            entries.clear();
            held = 0;
        }
        return false;
    }

    /** First what this run has used, then whatever else is there as long as there is room. */
    private void write() throws IOException {
        WovenCache all = new WovenCache(file, true, maker);
        synchronized (this) {
            for (Map.Entry<Long, Entry> one : entries.entrySet()) {
                if (one.getValue().used) {
                    all.put(one.getKey(), one.getValue());
                }
            }
        }
        all.read();
        Path target = Objects.requireNonNull(file);
        Path fresh = Files.createTempFile(target.toAbsolutePath().getParent(), "woven", ".new");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(fresh)))) {
                out.writeLong(MAGIC);
                out.writeLong(maker);
                for (Map.Entry<Long, Entry> one : all.entries.entrySet()) {
                    Entry entry = one.getValue();
                    out.writeLong(one.getKey());
                    out.writeInt(entry.madeOf);
                    out.writeInt(entry.length);
                    out.writeInt(entry.crc);
                    out.write(entry.bytes, entry.offset, entry.length);
                }
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Takes from the file what isn't there yet, up to the first entry that isn't whole. */
    private synchronized void read() throws IOException {
        byte[] bytes = file == null || !Files.isRegularFile(file) ? NOTHING : bytes(file);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.remaining() < HEADER || in.getLong() != MAGIC || in.getLong() != maker) {
            return;
        }
        while (in.remaining() >= ENTRY) {
            long key = in.getLong();
            int madeOf = in.getInt();
            int length = in.getInt();
            int crc = in.getInt();
            if (length < 0 || length > in.remaining()) {
                return;
            }
            if (!entries.containsKey(key) && HEADER + held + ENTRY + length <= MOST_BYTES) {
                put(key, new Entry(madeOf, bytes, in.position(), length, crc, false));
            }
            in.position(in.position() + length);
        }
    }

    /** By what the JVM has loaded already to read jars, other than channels; nothing of a file that is too large. */
    private static byte[] bytes(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = in.length() > MOST_BYTES ? NOTHING : new byte[(int) in.length()];
            in.readFully(bytes);
            return bytes;
        }
    }

    private void put(long key, Entry entry) {
        Entry before = entries.put(key, entry);
        held += ENTRY + entry.length - (before == null ? 0 : ENTRY + before.length);
    }

    private static long key(String name) {
        return key(name.getBytes(StandardCharsets.UTF_8));
    }

    /** Two check sums that the JDK has in machine code from the start; a JVM that starts has little else. */
    private static long key(byte[] classFile) {
        CRC32C second = new CRC32C();
        second.update(classFile, 0, classFile.length);
        return (long) crc(classFile, 0, classFile.length) << 32 | second.getValue();
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32 sum = new CRC32();
        sum.update(bytes, offset, length);
        return (int) sum.getValue();
    }

    /** What was made of one class file: a part of {@code bytes}. */
    private static final class Entry {
        final int madeOf;
        final byte[] bytes;
        final int offset;
        final int length;
        final int crc;
        boolean used;

        Entry(int madeOf, byte[] bytes, int offset, int length, int crc, boolean used) {
            this.madeOf = madeOf;
            this.bytes = bytes;
            this.offset = offset;
            this.length = length;
            this.crc = crc;
            this.used = used;
        }

        /** Its bytes, or null if they are damaged. */
        byte @Nullable [] made() {
            return crc == WovenCache.crc(bytes, offset, length)
                    ? Arrays.copyOfRange(bytes, offset, offset + length)
                    : null;
        }
    }
}
