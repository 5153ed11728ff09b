package dev.understudy.agent.weave;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A woven class file and where the numbers of its gate and its probes stand in it, so that another run of the JVM can put its
 * own in their places.
 *
 * <p>A probe's number is in the first instruction of its method, the gate's in a constant that no class file has by chance.
 */
final class Numbered {
    /** The upper half of the constant in whose lower half the gate's number is. */
    static final long GATE = 0x6761746500000000L;

    private static final int LONG_TAG = 5;
    private static final int ABSENT = -1;

    private final String className;
    private final List<Method> methods;
    private final int gateAt;
    private final byte[] bytes;

    private Numbered(String className, List<Method> methods, int gateAt, byte[] bytes) {
        this.className = className;
        this.methods = methods;
        this.gateAt = gateAt;
        this.bytes = bytes;
    }

    /**
     * Finds the numbers of a class file that was just woven.
     *
     * @param gate its gate's number
     * @param dynamic whether it has the gate's number at all
     * @return null if they aren't where they should be, so that it can't be used again
     */
    static @Nullable Numbered of(String className, List<Method> methods, int gate, boolean dynamic, byte[] woven) {
        ClassReader reader = new ClassReader(woven);
        CodeSizes sizes = CodeSizes.of(reader);
        List<Method> placed = new ArrayList<>();
        for (Method method : methods) {
            int code = sizes.code(method.at);
            if (woven[code] != Opcodes.SIPUSH || reader.readShort(code + 1) != method.probe) {
                return null;
            }
            placed.add(method.at(code + 1));
        }
        int gateAt = dynamic ? gateAt(reader, gate) : ABSENT;
        return dynamic && gateAt == ABSENT ? null : new Numbered(className, placed, gateAt, woven);
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

    /** In a form that {@link #read} knows. */
    byte[] write() {
        try {
            ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length + 64 * methods.size());
            DataOutputStream out = new DataOutputStream(all);
            out.writeUTF(className);
            out.writeShort(methods.size());
            for (Method method : methods) {
                out.writeUTF(method.name);
                out.writeUTF(method.descriptor);
                out.writeBoolean(method.overloaded);
                out.writeInt(method.at);
                out.writeByte(method.annotations.size());
                for (String annotation : method.annotations) {
                    out.writeUTF(annotation);
                }
            }
            out.writeInt(gateAt);
            out.writeInt(bytes.length);
            out.write(bytes);
            return all.toByteArray();
        } catch (IOException inMemory) {
            throw new IllegalStateException(inMemory);
        }
    }

    /**
     * What {@link #write} made.
     *
     * @throws IOException if it isn't
     */
    static Numbered read(byte[] written) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(written));
        String className = in.readUTF();
        List<Method> methods = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            methods.add(method(in));
        }
        int gateAt = in.readInt();
        int length = in.readInt();
        Numbered numbered = new Numbered(className, methods, gateAt, in.readAllBytes());
        numbered.check(length);
        return numbered;
    }

    private static Method method(DataInputStream in) throws IOException {
        String name = in.readUTF();
        String descriptor = in.readUTF();
        boolean overloaded = in.readBoolean();
        int at = in.readInt();
        List<String> annotations = new ArrayList<>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            annotations.add(in.readUTF());
        }
        return new Method(name, descriptor, overloaded, annotations, at, 0);
    }

    private void check(int length) throws IOException {
        boolean inside = bytes.length == length;
        inside &= gateAt == ABSENT || (gateAt >= 0 && gateAt <= bytes.length - 4);
        for (Method method : methods) {
            inside &= method.at > 0 && method.at <= bytes.length - 2;
        }
        if (!inside || methods.isEmpty()) {
            throw new IOException(className + ": not whole");
        }
    }

    /** The class file with this run's numbers, or null when there aren't enough left. */
    byte @Nullable [] renumbered(ClassLoader loader, ProbeDirectory directory) {
        WovenClass woven = directory.woven(loader, className);
        if (woven == null) {
            return null;
        }
        for (Method method : methods) {
            int probe = directory.number(woven, method.name, method.descriptor, method.overloaded, method.annotations);
            if (probe < 0) {
                return null;
            }
            bytes[method.at] = (byte) (probe >>> 8);
            bytes[method.at + 1] = (byte) probe;
        }
        if (gateAt != ABSENT) {
            directory.givesOwnGate(woven);
        }
        for (int n = 0; gateAt != ABSENT && n < 4; n++) {
            bytes[gateAt + n] = (byte) (woven.gate >>> (24 - 8 * n));
        }
        return bytes;
    }

    /** A woven method: before its place is known {@code at} counts methods, then bytes. */
    static final class Method {
        final String name;
        final String descriptor;
        final boolean overloaded;
        final List<String> annotations;
        final int at;
        final int probe;

        Method(String name, String descriptor, boolean overloaded, List<String> annotations, int at, int probe) {
            this.name = name;
            this.descriptor = descriptor;
            this.overloaded = overloaded;
            this.annotations = annotations;
            this.at = at;
            this.probe = probe;
        }

        /** The same at its place. */
        Method at(int place) {
            return new Method(name, descriptor, overloaded, annotations, place, probe);
        }
    }
}
