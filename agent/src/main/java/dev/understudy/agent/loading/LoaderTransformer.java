package dev.understudy.agent.loading;

import dev.understudy.agent.bootstrap.OwnClasses;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Has class loaders of the application answer for the bootstrap part at the entry of their {@code loadClass}, whatever
 * they delegate to otherwise.
 *
 * <p>A loader is known by its name and by that method: its parents aren't loaded yet when its class file is seen. In a
 * class that is no loader the edit changes nothing, since nobody asks it for our names.
 */
public final class LoaderTransformer implements ClassFileTransformer {
    private static final String NAMED = "Loader";
    private static final String METHOD = "loadClass";
    private static final String BY_NAME = "(Ljava/lang/String;)Ljava/lang/Class;";
    private static final String RESOLVING = "(Ljava/lang/String;Z)Ljava/lang/Class;";
    private static final String OWN_CLASSES = OwnClasses.class.getName().replace('.', '/');

    private final BiConsumer<String, Throwable> failures;

    /** Failures are told by class name and leave the class as it was. */
    public LoaderTransformer(BiConsumer<String, Throwable> failures) {
        this.failures = failures;
    }

    /** Whether a class that is loaded already would have been edited. */
    public static boolean wants(Class<?> loaded) {
        return isOfTheApplication(loaded.getClassLoader())
                && ClassLoader.class.isAssignableFrom(loaded)
                && loaded.getName().contains(NAMED);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (name == null || !name.contains(NAMED) || !isOfTheApplication(loader)) {
            return null;
        }
        try {
            return LoaderVisitor.edited(classFile);
        } catch (Throwable problem) {
            failures.accept(name.replace('/', '.'), problem);
            return null;
        }
    }

    private static boolean isOfTheApplication(@Nullable ClassLoader loader) {
        return loader != null
                && loader != ClassLoader.getPlatformClassLoader()
                && loader != LoaderTransformer.class.getClassLoader();
    }

    private static final class LoaderVisitor extends ClassVisitor {
        private String className = "";
        private boolean framed;
        private boolean edited;

        LoaderVisitor(ClassWriter writer) {
            super(Opcodes.ASM9, writer);
        }

        static byte @Nullable [] edited(byte[] classFile) {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, 0);
            LoaderVisitor visitor = new LoaderVisitor(writer);
            reader.accept(visitor, ClassReader.EXPAND_FRAMES);
            return visitor.edited ? writer.toByteArray() : null;
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
            className = name;
            framed = (version & 0xFFFF) >= Opcodes.V1_6;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean resolving = descriptor.equals(RESOLVING);
            if (!name.equals(METHOD)
                    || !(resolving || descriptor.equals(BY_NAME))
                    || (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
                return next;
            }
            edited = true;
            Object[] locals = resolving
                    ? new Object[] {className, "java/lang/String", Opcodes.INTEGER}
                    : new Object[] {className, "java/lang/String"};
            return new OwnFirst(next, framed ? locals : null);
        }
    }

    /** {@code Class<?> own = OwnClasses.find(name); if (own != null) return own;} before all else. */
    private static final class OwnFirst extends MethodVisitor {
        private static final int STACK = 2;

        private final Object @Nullable [] locals;

        OwnFirst(MethodVisitor next, Object @Nullable [] locals) {
            super(Opcodes.ASM9, next);
            this.locals = locals;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Label notOurs = new Label();
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, OWN_CLASSES, "find", BY_NAME, false);
            super.visitInsn(Opcodes.DUP);
            super.visitJumpInsn(Opcodes.IFNULL, notOurs);
            super.visitInsn(Opcodes.ARETURN);
            super.visitLabel(notOurs);
            if (locals != null) {
                super.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Class"});
            }
            super.visitInsn(Opcodes.POP);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(maxStack, STACK), maxLocals);
        }
    }
}
