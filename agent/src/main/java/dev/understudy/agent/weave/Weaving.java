package dev.understudy.agent.weave;

import dev.understudy.agent.branch.ClassBranches;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.lock.LockedMethod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodTooLargeException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves place-holders into one class file; methods that stay as they are keep every byte.
 *
 * <p>Left out is what {@link WantedMethods} says, and {@linkplain ConstructorBegin some constructors}. For any threads.
 */
final class Weaving {
    private final ProbeDirectory directory;
    private final boolean clock;
    private final @Nullable LockSites locks;

    /** As {@link Weaver} has them. */
    Weaving(ProbeDirectory directory, boolean clock, @Nullable LockSites locks) {
        this.directory = directory;
        this.clock = clock;
        this.locks = locks;
    }

    /**
     * The woven class file of a class that has no method to weave, or for which there is no number left, is null.
     *
     * <p>Which methods become too large is known when all is written. Then it is written again: they get no more than
     * their place-holders, and if that is too much, nothing.
     *
     * @param cache keeps what becomes of it
     * @param branches what of its branches is woven too
     * @throws RuntimeException if the class file can't be read or the woven one would be too large
     */
    byte @Nullable [] anew(
            ClassLoader loader, byte[] classFile, WovenCache cache, @Nullable ClassBranches branches, boolean loaded) {
        ClassReader reader = new ClassReader(classFile);
        CodeSizes sizes = CodeSizes.of(reader);
        ClassFile file = new ClassFile(classFile);
        Declared declared = new Declared(file, WantedMethods.NAMELESS);
        BitSet bare = new BitSet();
        BitSet leftOut = new BitSet();
        while (true) {
            ClassWriter writer = new ClassWriter(reader, 0);
            ClassWeaver weaver =
                    new ClassWeaver(writer, loader, sizes, file, declared, branches, loaded, bare, leftOut);
            reader.accept(weaver, ClassReader.EXPAND_FRAMES);
            BitSet tooLarge = new BitSet();
            byte[] woven = written(weaver, writer, tooLarge);
            if (tooLarge.isEmpty()) {
                return finished(weaver, classFile, woven, cache);
            }
            BitSet again = (BitSet) tooLarge.clone();
            again.and(bare);
            leftOut.or(again);
            bare.or(tooLarge);
        }
    }

    /**
     * What the weaver has written, null if that is nothing.
     *
     * @param tooLarge gets the methods that became so and can be left alone
     */
    private static byte @Nullable [] written(ClassWeaver weaver, ClassWriter writer, BitSet tooLarge) {
        if (!weaver.changes()) {
            return null;
        }
        byte[] woven;
        try {
            woven = writer.toByteArray();
        } catch (MethodTooLargeException tooMuch) {
            int method = weaver.touched(tooMuch.getMethodName() + tooMuch.getDescriptor());
            if (method < 0) {
                throw tooMuch;
            }
            tooLarge.set(method);
            return null;
        }
        CodeSizes after = CodeSizes.of(new ClassReader(woven));
        for (int method : weaver.touched.values()) {
            if (!WovenLength.isKept(weaver.sizes.bytes(method), after.bytes(method))) {
                tooLarge.set(method);
            }
        }
        return woven;
    }

    private byte @Nullable [] finished(
            ClassWeaver weaver, byte[] classFile, byte @Nullable [] woven, WovenCache cache) {
        if (!weaver.wanted) {
            cache.keep(classFile, WovenCache.NOTHING);
        }
        WovenClass numbers = weaver.woven;
        if (woven == null || numbers == null || weaver.methods.isEmpty()) {
            return woven;
        }
        if (weaver.ownGate != null) {
            directory.givesOwnGate(numbers);
        }
        if (cache.keeps() && !weaver.leavesOut) {
            Numbered numbered = Numbered.of(
                    weaver.className,
                    weaver.methods,
                    numbers.gate,
                    weaver.dynamic(),
                    weaver.locked,
                    weaver.declared.synchronizedMethods(),
                    woven);
            if (numbered != null) {
                cache.keep(classFile, numbered.write());
            }
        }
        return woven;
    }

    /** Confined to one class file; {@code woven} is asked for with the first method that is wanted. */
    private final class ClassWeaver extends ClassVisitor {
        private final ClassLoader loader;
        private final CodeSizes sizes;
        private final ClassFile file;
        private final Declared declared;
        private final @Nullable ClassBranches branches;
        private final boolean loaded;
        private @Nullable OwnGate ownGate;
        private int method;
        private int version;
        private String className = "";
        private @Nullable WovenClass woven;
        private boolean clocked;
        private final List<Numbered.Lock> locked = new ArrayList<>();
        private final List<Numbered.Method> methods = new ArrayList<>();
        private boolean wanted;
        /** Methods that get no more than place-holders, and those that get nothing. */
        private final BitSet bare;

        private final BitSet leftOut;
        /** Whether a method got nothing that would have been woven if it were smaller. */
        private boolean leavesOut;
        /** The numbers of those that are changed, by names with descriptors. */
        private final Map<String, Integer> touched = new LinkedHashMap<>();

        ClassWeaver(
                ClassWriter writer,
                ClassLoader loader,
                CodeSizes sizes,
                ClassFile file,
                Declared declared,
                @Nullable ClassBranches branches,
                boolean loaded,
                BitSet bare,
                BitSet leftOut) {
            super(Opcodes.ASM9, writer);
            this.loader = loader;
            this.sizes = sizes;
            this.file = file;
            this.declared = declared;
            this.branches = branches;
            this.loaded = loaded;
            this.bare = bare;
            this.leftOut = leftOut;
        }

        /** Whether what it has visited is to be written. */
        boolean changes() {
            boolean more = ownGate != null || clocked || (branches != null && branches.told());
            return more || (woven != null && !methods.isEmpty());
        }

        /** The number of a method that is changed; -1 if it isn't. */
        int touched(String method) {
            return touched.getOrDefault(method, -1);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            super.visit(version, access, name, signature, superName, interfaces);
            this.version = version & 0xFFFF;
            this.className = name.replace('/', '.');
            if (dynamic() && (!loaded || directory.hasOwnGate(loader, className))) {
                ownGate = new OwnGate(name, (access & Opcodes.ACC_INTERFACE) != 0);
            }
            if (locks != null) {
                locks.areSynchronized(declared.synchronizedMethods());
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            int index = method++;
            MethodVisitor bracketed = bracketed(next, index, access, name, descriptor);
            int bytes = bracketed == next ? sizes.bytes(index) : WovenLength.of(file, index);
            MethodVisitor branched =
                    bare.get(index) ? bracketed : branched(bracketed, index, access, name, descriptor, bytes);
            boolean tellsOfLocks = locks != null
                    && bracketed != next
                    && !bare.get(index)
                    && WovenLength.isKept(sizes.bytes(index), bytes + LockSites.BYTES);
            MethodVisitor telling = tellsOfLocks ? locks(branched, index, access, name, descriptor) : branched;
            if (telling != next) {
                touched.put(name + descriptor, index);
            }
            return clock ? new ClockCalls(telling, () -> clocked = true) : telling;
        }

        private MethodVisitor locks(MethodVisitor next, int index, int access, String name, String descriptor) {
            String label = ProbeDirectory.label(name, descriptor, declared.isOverloaded(name));
            ConstructorBegin begin = name.equals("<init>") ? ConstructorBegin.of(file, index) : null;
            int bare = begin == null ? 0 : begin.calls();
            LockedMethod method = new LockedMethod(loader, className, version, access, name, descriptor, label, bare);
            return Objects.requireNonNull(locks)
                    .visitor(next, method, sizes.locals(index), place -> locked.add(new Numbered.Lock(place, index)));
        }

        private MethodVisitor branched(
                MethodVisitor next, int index, int access, String name, String descriptor, int bytes) {
            if (branches == null) {
                return next;
            }
            String label = ProbeDirectory.label(name, descriptor, declared.isOverloaded(name));
            return branches.visitor(next, index, access, name, descriptor, label, bytes);
        }

        private MethodVisitor bracketed(MethodVisitor next, int index, int access, String name, String descriptor) {
            if (!WantedMethods.include(access, name, sizes.bytes(index))) {
                return next;
            }
            boolean constructs = name.equals("<init>");
            ConstructorBegin begin = constructs ? ConstructorBegin.of(file, index) : null;
            if (constructs && begin == null) {
                return next;
            }
            wanted = true;
            if (leftOut.get(index) || !WovenLength.fits(file, index)) {
                leavesOut = true;
                directory.leaveOut(className, ProbeDirectory.label(name, descriptor, declared.isOverloaded(name)));
                return next;
            }
            WovenClass numbers = woven == null ? directory.woven(loader, className) : woven;
            woven = numbers;
            boolean overloaded = declared.isOverloaded(name);
            List<String> annotations = declared.ofMethod(index);
            int probe = numbers == null ? -1 : directory.number(numbers, name, descriptor, overloaded, annotations);
            if (numbers == null || probe < 0) {
                return next;
            }
            Bracket bracket = new ProbeBracket(probe, numbers.gate, dynamic(), ownGate, descriptor);
            BracketVisitor visitor = new BracketVisitor(
                    next, bracket, sizes.locals(index), version >= Opcodes.V1_6, begin == null ? 0 : begin.calls());
            methods.add(new Numbered.Method(name, descriptor, overloaded, annotations, index, probe, visitor.entry()));
            return visitor;
        }

        /** A class that is loaded keeps its own gate even if nothing asks it any more. */
        @Override
        public void visitEnd() {
            WovenClass numbers = ownGate == null || !loaded ? woven : directory.woven(loader, className);
            if (ownGate != null && numbers != null && (loaded || !methods.isEmpty())) {
                OwnGate.write(cv, numbers.gate);
            } else {
                ownGate = null;
            }
            super.visitEnd();
        }

        private boolean dynamic() {
            return version >= Opcodes.V1_7;
        }
    }
}
