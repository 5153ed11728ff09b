package dev.understudy.agent.weave;

import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.Attribute;
import dev.understudy.agent.classfile.ByteSink;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.CodeEdit;
import dev.understudy.agent.classfile.FrameReader;
import dev.understudy.agent.classfile.Instructions;
import dev.understudy.agent.classfile.PoolTail;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.lock.LockedMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves place-holders into one class file that is about to be loaded, the same as {@link Weaving}, by putting pieces
 * into its code.
 *
 * <p>What takes class files apart whole is large, and so busy while an application starts that the JVM compiles it with
 * all it has; that is most of what weaving cost. This is for what compilers make today; for all else it throws, and
 * {@link Weaving} does it.
 */
final class DirectWeaving {
    /** Of the stack: what is returned, and the token beside it. */
    private static final int DEEPER = 3;
    /** What telling of locks needs of it. */
    private static final int DEEPER_BY_LOCKS = 4;

    private static final String BOOTSTRAP_METHODS = "BootstrapMethods";
    private static final int ILOAD_0 = 26;

    private final ProbeDirectory directory;
    private final @Nullable LockSites locks;
    private final ClassLoader loader;
    private final ClassFile file;
    private final Declared declared;
    private final String className;
    private final PoolTail pool;
    private final ByteSink body;
    /** Up to where the file has been copied. */
    private int done;

    private boolean leavesOut;
    private final List<Numbered.Method> methods = new ArrayList<>();
    private int[] probesAt = new int[16];
    private final List<Numbered.Lock> placed = new ArrayList<>();
    /** Which constants are methods whose calls may be told of; null if none is. */
    private boolean @Nullable [] concerning;

    private DirectWeaving(
            ProbeDirectory directory, @Nullable LockSites locks, ClassLoader loader, ClassFile file, int length) {
        this.directory = directory;
        this.locks = locks;
        this.loader = loader;
        this.file = file;
        this.declared = new Declared(file, WantedMethods.NAMELESS);
        this.className = file.name().replace('/', '.');
        this.pool = new PoolTail(file);
        this.body = new ByteSink(length + length / 2);
        this.done = file.header();
    }

    /**
     * As {@link Weaving#anew}.
     *
     * @throws RuntimeException if it isn't for this class
     */
    static byte @Nullable [] anew(
            ProbeDirectory directory,
            @Nullable LockSites locks,
            ClassLoader loader,
            byte[] classFile,
            WovenCache cache) {
        ClassFile file = ClassFile.editable(classFile);
        return new DirectWeaving(directory, locks, loader, file, classFile.length).weave(classFile, cache);
    }

    private byte @Nullable [] weave(byte[] classFile, WovenCache cache) {
        if (locks != null) {
            locks.areSynchronized(declared.synchronizedMethods());
        }
        WovenClass numbers = null;
        Constants constants = null;
        boolean wanted = false;
        for (int method = 0; method < file.methods(); method++) {
            String name = file.name(method);
            if (!WantedMethods.include(file.access(method), name, file.codeBytes(method))) {
                continue;
            }
            ConstructorBegin begin = name.equals("<init>") ? ConstructorBegin.of(file, method) : null;
            if (begin == null && name.equals("<init>")) {
                continue;
            }
            wanted = true;
            if (!WovenLength.fits(file, method)) {
                leaveOut(method, name);
                continue;
            }
            numbers = numbers == null ? directory.woven(loader, className) : numbers;
            if (numbers != null) {
                if (constants == null) {
                    constants = new Constants(file, pool);
                    concerning = locks == null ? null : concerning(locks);
                }
                weaveMethod(constants, method, name, begin, numbers);
            }
        }
        if (!wanted) {
            cache.keep(classFile, WovenCache.NOTHING);
        }
        if (numbers == null || methods.isEmpty()) {
            return null;
        }
        int gate = pool.longValue(Numbered.GATE | numbers.gate);
        int gateAt = file.header() + pool.length() - 4;
        finish(gate);
        ByteSink out = pool.behind(file, body.size());
        int shift = out.size();
        byte[] woven = out.copy(body).toBytes();
        directory.givesOwnGate(numbers);
        if (cache.keeps() && !leavesOut) {
            keep(classFile, cache, woven, shift, gateAt);
        }
        return woven;
    }

    /** A class of which something is left out isn't kept, so that each run says so. */
    private void leaveOut(int method, String name) {
        leavesOut = true;
        directory.leaveOut(className, ProbeDirectory.label(name, file.descriptor(method), declared.isOverloaded(name)));
    }

    private void weaveMethod(
            Constants constants, int method, String name, @Nullable ConstructorBegin begin, WovenClass numbers) {
        String descriptor = file.descriptor(method);
        boolean overloaded = declared.isOverloaded(name);
        List<String> annotations = declared.ofMethod(method);
        int probe = directory.number(numbers, name, descriptor, overloaded, annotations);
        if (probe < 0) {
            return;
        }
        int attribute = file.code(method);
        CodeEdit edit = new CodeEdit(file, attribute);
        int slot = file.u2(attribute + 8);
        ByteSink entry = new ByteSink(16).u1(Opcodes.SIPUSH).u2(probe).u1(Opcodes.INVOKESTATIC);
        entry.u2(constants.gate);
        Instructions.variable(entry, Opcodes.ASTORE, slot);
        CodeEdit.Piece from = edit.behindWhatIsBefore(begin == null ? 0 : begin.behind(), entry);
        LockPieces telling = locks == null
                ? null
                : telling(edit, method, name, descriptor, slot, begin == null ? 0 : begin.calls(), locks);
        int[] returns = edit.returns();
        if (returns.length > 0) {
            ByteSink exit = exit(constants, descriptor, slot);
            for (int at : returns) {
                edit.before(at, exit);
            }
        }
        file.copy(done, attribute, body);
        int end = attribute + 6 + file.u4(attribute + 2);
        FrameReader frames = new FrameReader(file, method);
        int deeper = DEEPER + (telling == null ? 0 : DEEPER_BY_LOCKS);
        int code = edit.write(body, constants.names, frames, slot, from, thrown(constants, slot), deeper);
        done = end;
        if (methods.size() == probesAt.length) {
            probesAt = Arrays.copyOf(probesAt, 2 * probesAt.length);
        }
        probesAt[methods.size()] = code + from.at() + 1;
        methods.add(new Numbered.Method(name, descriptor, overloaded, annotations, method, probe, null));
        if (telling != null) {
            telling.placed(code);
            placed.addAll(telling.locks());
        }
    }

    private @Nullable LockPieces telling(
            CodeEdit edit, int method, String name, String descriptor, int slot, int bare, LockSites sites) {
        boolean inside = edit.hasMonitors() || calls(edit);
        boolean itself = (file.access(method) & Opcodes.ACC_SYNCHRONIZED) != 0;
        if (!(itself || inside) || !WovenLength.isKept(edit.length(), WovenLength.of(file, method) + LockSites.BYTES)) {
            return null;
        }
        String label = ProbeDirectory.label(name, descriptor, declared.isOverloaded(name));
        LockedMethod locked =
                new LockedMethod(loader, className, file.version(), file.access(method), name, descriptor, label, bare);
        return LockPieces.put(sites, locked, file, pool, edit, method, slot, inside);
    }

    private boolean @Nullable [] concerning(LockSites sites) {
        boolean[] concern = null;
        for (int constant = 1; constant < file.constants(); constant++) {
            if (file.isMethod(constant) && sites.concerns(file, constant)) {
                concern = concern == null ? new boolean[file.constants()] : concern;
                concern[constant] = true;
            }
        }
        return concern;
    }

    /** Whether it calls a method that locks may have to do with. */
    private boolean calls(CodeEdit edit) {
        boolean[] told = concerning;
        if (told != null) {
            for (int at : edit.calls()) {
                if (told[file.u2(edit.code() + at + 1)]) {
                    return true;
                }
            }
        }
        return false;
    }

    private static ByteSink exit(Constants constants, String descriptor, int slot) {
        ByteSink exit = new ByteSink(16);
        int doubling = ProbeBracket.doubling(descriptor);
        if (doubling != Opcodes.NOP) {
            exit.u1(doubling);
        }
        Instructions.variable(exit, Opcodes.ALOAD, slot);
        return exit.u1(Opcodes.INVOKESTATIC).u2(constants.exit(descriptor));
    }

    private static ByteSink thrown(Constants constants, int slot) {
        ByteSink thrown = new ByteSink(16).u1(Opcodes.DUP);
        Instructions.variable(thrown, Opcodes.ALOAD, slot);
        return thrown.u1(Opcodes.INVOKESTATIC).u2(constants.thrown).u1(Opcodes.ATHROW);
    }

    /** The gate's method behind the others (JVMS §4.6), and what links it behind what links others (§4.7.23). */
    private void finish(int gate) {
        int others = file.attribute(file.attributesAt(), Attribute.BOOTSTRAP_METHODS);
        int linking = others == 0 ? 0 : file.u2(others + 6);
        int link = pool.staticHandle(pool.method(OwnGate.GATES, OwnGate.LINK, OwnGate.LINK_TYPE, false));
        file.copy(done, file.attributesAt(), body);
        body.set2(file.methodsAt() - file.header(), file.methods() + 1);
        body.u2(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC);
        body.u2(pool.utf8(OwnGate.NAME)).u2(pool.utf8(OwnGate.TYPE)).u2(1);
        body.u2(pool.utf8("Code")).u4(19).u2(1).u2(1).u4(7);
        body.u1(ILOAD_0).u1(Opcodes.INVOKEDYNAMIC);
        body.u2(pool.invokeDynamic(linking, OwnGate.ENTER, OwnGate.TYPE)).u2(0);
        body.u1(Opcodes.ARETURN).u2(0).u2(0);
        body.u2(file.u2(file.attributesAt()) + (others == 0 ? 1 : 0));
        int first = file.attributesAt() + 2;
        if (others == 0) {
            body.u2(pool.utf8(BOOTSTRAP_METHODS)).u4(8).u2(1).u2(link).u2(1).u2(gate);
            file.copy(first, file.length(), body);
            return;
        }
        int behind = others + 6 + file.u4(others + 2);
        file.copy(first, others + 2, body);
        body.u4(file.u4(others + 2) + 6).u2(linking + 1);
        file.copy(others + 8, behind, body);
        body.u2(link).u2(1).u2(gate);
        file.copy(behind, file.length(), body);
    }

    private void keep(byte[] classFile, WovenCache cache, byte[] woven, int shift, int gateAt) {
        int[] at = Arrays.copyOf(probesAt, methods.size());
        for (int n = 0; n < at.length; n++) {
            at[n] += shift;
        }
        for (Numbered.Lock lock : placed) {
            lock.at.replaceAll(offset -> offset + shift);
        }
        Numbered numbered = Numbered.at(className, methods, at, gateAt, placed, declared.synchronizedMethods(), woven);
        cache.keep(classFile, numbered.write());
    }

    /** Those that all methods of the class share. */
    private static final class Constants {
        private static final char FIRST = 'A';

        private final PoolTail pool;
        private final CodeEdit.Names names;
        private final int gate;
        private final int thrown;
        /** By the first letter of what is returned. */
        private final int[] exits = new int['[' - FIRST + 1];

        Constants(ClassFile file, PoolTail pool) {
            this.pool = pool;
            names = new CodeEdit.Names(pool);
            boolean ofInterface = (file.access() & Opcodes.ACC_INTERFACE) != 0;
            gate = pool.method(file.name(), OwnGate.NAME, OwnGate.TYPE, ofInterface);
            thrown = pool.method(ProbeBracket.PROBES, "thrown", ProbeBracket.THROWN, false);
        }

        int exit(String descriptor) {
            int letter = descriptor.charAt(descriptor.indexOf(')') + 1) - FIRST;
            if (exits[letter] == 0) {
                exits[letter] =
                        pool.method(ProbeBracket.PROBES, "exit", ProbeBracket.exitDescriptor(descriptor), false);
            }
            return exits[letter];
        }
    }
}
