package dev.understudy.agent.weave;

import dev.understudy.agent.branch.ClassBranches;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.lock.LockedMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
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
     * @param cache keeps what becomes of it
     * @param branches what of its branches is woven too
     * @throws RuntimeException if the class file can't be read or the woven one would be too large
     */
    byte @Nullable [] anew(
            ClassLoader loader, byte[] classFile, WovenCache cache, @Nullable ClassBranches branches, boolean loaded) {
        ClassReader reader = new ClassReader(classFile);
        CodeSizes sizes = CodeSizes.of(reader);
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassFile file = new ClassFile(classFile);
        Declared declared = new Declared(file, WantedMethods.NAMELESS);
        ClassWeaver weaver = new ClassWeaver(writer, loader, sizes, file, declared, branches, loaded);
        reader.accept(weaver, ClassReader.EXPAND_FRAMES);
        if (!weaver.wanted) {
            cache.keep(classFile, WovenCache.NOTHING);
        }
        WovenClass numbers = weaver.woven;
        if (numbers == null || weaver.methods.isEmpty()) {
            boolean changed = weaver.ownGate != null || weaver.clocked || (branches != null && branches.told());
            return changed ? writer.toByteArray() : null;
        }
        byte[] woven = writer.toByteArray();
        if (weaver.ownGate != null) {
            directory.givesOwnGate(numbers);
        }
        if (cache.keeps()) {
            Numbered numbered = Numbered.of(
                    weaver.className,
                    weaver.methods,
                    numbers.gate,
                    weaver.dynamic(),
                    weaver.locked,
                    declared.synchronizedMethods(),
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

        ClassWeaver(
                ClassWriter writer,
                ClassLoader loader,
                CodeSizes sizes,
                ClassFile file,
                Declared declared,
                @Nullable ClassBranches branches,
                boolean loaded) {
            super(Opcodes.ASM9, writer);
            this.loader = loader;
            this.sizes = sizes;
            this.file = file;
            this.declared = declared;
            this.branches = branches;
            this.loaded = loaded;
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
            MethodVisitor branched = branched(bracketed, index, access, name, descriptor);
            boolean tellsOfLocks = locks != null
                    && bracketed != next
                    && sizes.bytes(index) < WantedMethods.NEARLY_HUGE_BYTES - LockSites.BYTES;
            MethodVisitor telling = tellsOfLocks ? locks(branched, index, access, name, descriptor) : branched;
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

        private MethodVisitor branched(MethodVisitor next, int index, int access, String name, String descriptor) {
            if (branches == null) {
                return next;
            }
            String label = ProbeDirectory.label(name, descriptor, declared.isOverloaded(name));
            return branches.visitor(next, index, access, name, descriptor, label, sizes.bytes(index));
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
