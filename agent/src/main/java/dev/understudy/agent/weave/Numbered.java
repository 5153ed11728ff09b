package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.ModifiedUtf8;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.lock.WovenLock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A woven class file and where the numbers of its gate, its probes and its locks stand in it, so that another run of
 * the JVM can put its own in their places.
 *
 * <p>A probe's number is in the first instruction of its method, or of what a constructor does itself, the gate's in a
 * constant that no class file has by chance. What the methods are called stands behind all that, and is read when
 * somebody asks.
 */
final class Numbered {
    /** The upper half of the constant in whose lower half the gate's number is. */
    static final long GATE = 0x6761746500000000L;

    private static final int LONG_TAG = 5;
    private static final int ABSENT = -1;

    private final String className;
    private final int[] probesAt;
    private final int gateAt;
    private final List<Lock> locks;
    private final Collection<String> synchronizedMethods;
    private final byte[] bytes;
    private final byte[] names;

    private Numbered(
            String className,
            int[] probesAt,
            int gateAt,
            List<Lock> locks,
            Collection<String> synchronizedMethods,
            byte[] bytes,
            byte[] names) {
        this.className = className;
        this.probesAt = probesAt;
        this.gateAt = gateAt;
        this.locks = locks;
        this.synchronizedMethods = synchronizedMethods;
        this.bytes = bytes;
        this.names = names;
    }

    /**
     * Finds the numbers of a class file that was just woven.
     *
     * @param gate its gate's number
     * @param dynamic whether it has the gate's number at all
     * @param locks where it tells of locks
     * @param synchronizedMethods names with descriptors
     * @return null if they aren't where they should be, so that it can't be used again
     */
    static @Nullable Numbered of(
            String className,
            List<Method> methods,
            int gate,
            boolean dynamic,
            List<Lock> locks,
            Collection<String> synchronizedMethods,
            byte[] woven) {
        ClassReader reader = new ClassReader(woven);
        CodeSizes sizes = CodeSizes.of(reader);
        int[] probesAt = new int[methods.size()];
        for (int n = 0; n < probesAt.length; n++) {
            Method method = methods.get(n);
            probesAt[n] = sizes.code(method.index)
                    + Objects.requireNonNull(method.entry).getOffset()
                    + 1;
            if (!pushes(reader, probesAt[n], method.probe)) {
                return null;
            }
        }
        for (Lock lock : locks) {
            for (int offset : lock.place.offsets()) {
                int at = sizes.code(lock.method) + offset + 1;
                if (!pushes(reader, at, lock.place.number)) {
                    return null;
                }
                lock.at.add(at);
            }
        }
        int gateAt = dynamic ? gateAt(reader, gate) : ABSENT;
        return dynamic && gateAt == ABSENT
                ? null
                : new Numbered(className, probesAt, gateAt, locks, synchronizedMethods, woven, names(methods));
    }

    /**
     * The same of one of which it is known where they are.
     *
     * @param probesAt the methods' in their order
     * @param locks with their places
     */
    static Numbered at(
            String className,
            List<Method> methods,
            int[] probesAt,
            int gateAt,
            List<Lock> locks,
            Collection<String> synchronizedMethods,
            byte[] woven) {
        return new Numbered(className, probesAt, gateAt, locks, synchronizedMethods, woven, names(methods));
    }

    private static boolean pushes(ClassReader reader, int at, int number) {
        return reader.readByte(at - 1) == Opcodes.SIPUSH && reader.readShort(at) == number;
    }

    private static int gateAt(ClassReader reader, int gate) {
        int found = ABSENT;
        for (int item = 1; item < reader.getItemCount(); item++) {
            int at = reader.getItem(item);
            if (at > 0 && reader.readByte(at - 1) == LONG_TAG && reader.readLong(at) == (GATE | gate)) {
                if (found != ABSENT) {
                    return ABSENT;
                }
                found = at + 4;
            }
        }
        return found;
    }

    private static byte[] names(List<Method> methods) {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream(64 * methods.size());
            DataOutputStream out = new DataOutputStream(all);
            for (Method method : methods) {
                out.writeUTF(method.name);
                out.writeUTF(method.descriptor);
                out.writeBoolean(method.overloaded);
                out.writeByte(method.annotations.size());
                for (String annotation : method.annotations) {
                    out.writeUTF(annotation);
                }
            }
            return all.toByteArray();
        } catch (IOException inMemory) {
            throw new IllegalStateException(inMemory);
        }
    }

    /** In a form that {@link #read} knows. */
    byte[] write() {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length + names.length + 256);
            DataOutputStream out = new DataOutputStream(all);
            out.writeUTF(className);
            out.writeInt(bytes.length);
            out.writeInt(names.length);
            out.writeInt(gateAt);
            out.writeShort(probesAt.length);
            for (int at : probesAt) {
                out.writeInt(at);
            }
            out.writeShort(locks.size());
            for (Lock lock : locks) {
                lock.write(out);
            }
            out.writeShort(synchronizedMethods.size());
            for (String method : synchronizedMethods) {
                out.writeUTF(method);
            }
            out.write(bytes);
            out.write(names);
            return all.toByteArray();
        } catch (IOException inMemory) {
            throw new IllegalStateException(inMemory);
        }
    }

    /**
     * What {@link #write} made.
     *
     * @throws IOException if it isn't
     * @throws RuntimeException likewise
     */
    static Numbered read(byte[] written) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(written);
        String className = text(in);
        int length = in.getInt();
        int named = in.getInt();
        int gateAt = in.getInt();
        int[] probesAt = new int[in.getShort() & 0xFFFF];
        for (int n = 0; n < probesAt.length; n++) {
            probesAt[n] = in.getInt();
        }
        List<Lock> locks = new ArrayList<>();
        for (int left = in.getShort() & 0xFFFF; left > 0; left--) {
            locks.add(Lock.read(in));
        }
        List<String> synchronizedMethods = new ArrayList<>();
        for (int left = in.getShort() & 0xFFFF; left > 0; left--) {
            synchronizedMethods.add(text(in));
        }
        if (length < 0 || named < 0 || length + named != in.remaining()) {
            throw new IOException(className + ": not whole");
        }
        int from = written.length - length - named;
        byte[] bytes = Arrays.copyOfRange(written, from, from + length);
        byte[] names = Arrays.copyOfRange(written, from + length, written.length);
        Numbered numbered = new Numbered(className, probesAt, gateAt, locks, synchronizedMethods, bytes, names);
        numbered.check();
        return numbered;
    }

    private static String text(ByteBuffer in) {
        byte[] written = new byte[2 + (in.getShort(in.position()) & 0xFFFF)];
        in.get(written);
        return ModifiedUtf8.read(written, 2, written.length - 2);
    }

    private void check() throws IOException {
        boolean inside = gateAt == ABSENT || (gateAt >= 0 && gateAt <= bytes.length - 4);
        for (int at : probesAt) {
            inside &= at > 0 && at <= bytes.length - 2;
        }
        for (Lock lock : locks) {
            for (int at : lock.at) {
                inside &= at > 0 && at <= bytes.length - 2;
            }
        }
        if (!inside || probesAt.length == 0) {
            throw new IOException(className + ": not whole");
        }
    }

    /** The class file with this run's numbers, or null when there aren't enough left. */
    byte @Nullable [] renumbered(ClassLoader loader, ProbeDirectory directory, @Nullable LockSites sites) {
        if (sites == null && !locks.isEmpty()) {
            return null;
        }
        for (Lock lock : locks) {
            int number = Objects.requireNonNull(sites).number(loader, className, lock.place);
            if (number == 0) {
                return null;
            }
            lock.at.forEach(at -> put(at, number));
        }
        if (sites != null) {
            sites.areSynchronized(synchronizedMethods);
        }
        WovenClass woven = directory.woven(loader, className);
        int[] numbers =
                woven == null ? null : directory.numbers(woven, probesAt.length, new Names(names, probesAt.length));
        if (woven == null || numbers == null) {
            return null;
        }
        for (int n = 0; n < probesAt.length; n++) {
            put(probesAt[n], numbers[n]);
        }
        if (gateAt != ABSENT) {
            directory.givesOwnGate(woven);
            put(gateAt, woven.gate >>> 16);
            put(gateAt + 2, woven.gate);
        }
        return bytes;
    }

    private void put(int at, int number) {
        bytes[at] = (byte) (number >>> 8);
        bytes[at + 1] = (byte) number;
    }

    /** What its methods are called, read from what was kept. */
    private static final class Names implements Supplier<List<Method>> {
        private final byte[] written;
        private final int count;

        Names(byte[] written, int count) {
            this.written = written;
            this.count = count;
        }

        @Override
        public List<Method> get() {
            try {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(written));
                List<Method> methods = new ArrayList<>();
                while (methods.size() < count) {
                    methods.add(method(in));
                }
                return methods;
            } catch (IOException notWhole) {
                throw new UncheckedIOException(notWhole);
            }
        }

        private static Method method(DataInputStream in) throws IOException {
            String name = in.readUTF();
            String descriptor = in.readUTF();
            boolean overloaded = in.readBoolean();
            List<String> annotations = new ArrayList<>();
            for (int left = in.readUnsignedByte(); left > 0; left--) {
                annotations.add(in.readUTF());
            }
            return new Method(name, descriptor, overloaded, annotations, 0, 0, null);
        }
    }

    /** A woven method, which of the class file's it is, and where its number is, once that is written. */
    static final class Method {
        final String name;
        final String descriptor;
        final boolean overloaded;
        final List<String> annotations;
        final int index;
        final int probe;
        final @Nullable Label entry;

        Method(
                String name,
                String descriptor,
                boolean overloaded,
                List<String> annotations,
                int index,
                int probe,
                @Nullable Label entry) {
            this.name = name;
            this.descriptor = descriptor;
            this.overloaded = overloaded;
            this.annotations = annotations;
            this.index = index;
            this.probe = probe;
            this.entry = entry;
        }
    }

    /** A place that tells of a lock, in which of the class file's methods it is, and where its number stands. */
    static final class Lock {
        final WovenLock place;
        final int method;
        final List<Integer> at = new ArrayList<>();

        Lock(WovenLock place, int method) {
            this.place = place;
            this.method = method;
        }

        void write(DataOutputStream out) throws IOException {
            out.writeUTF(place.method);
            out.writeUTF(place.label);
            out.writeShort(place.index);
            out.writeInt(place.line);
            out.writeUTF(place.lock);
            out.writeByte(at.size());
            for (int one : at) {
                out.writeInt(one);
            }
        }

        static Lock read(ByteBuffer in) {
            Lock lock =
                    new Lock(new WovenLock(text(in), text(in), in.getShort() & 0xFFFF, in.getInt(), text(in), 0), 0);
            for (int left = in.get() & 0xFF; left > 0; left--) {
                lock.at.add(in.getInt());
            }
            return lock;
        }
    }
}
