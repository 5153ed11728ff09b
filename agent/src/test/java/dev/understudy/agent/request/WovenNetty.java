package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.weave.ClassNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Netty as a loader's own, with a transport from a jar, all of it woven, and below other packages if wanted. Native
 * methods answer 3, no or null: so the code of transports runs for which there is no native code here.
 */
final class WovenNetty extends ClassLoader {
    private static final String NETTY = "io/netty/";
    private static final int ANSWER = 3;

    private final JarFile transport;
    /** With slashes. */
    private final String below;

    private final Map<String, String> calls = new TreeMap<>();
    private final ServerTransformer transformer = new ServerTransformer((name, problem) -> {
        throw new AssertionError(name, problem);
    });

    /** @param below packages with a dot behind them, or nothing */
    WovenNetty(Path jar, String below) throws IOException {
        super(WovenNetty.class.getClassLoader());
        this.transport = new JarFile(jar.toFile());
        this.below = below.replace('.', '/');
    }

    /** Loads the transport's classes, and has the JVM verify them. */
    void linkAll() throws ClassNotFoundException {
        List<String> names = transport.stream()
                .map(entry -> entry.getName())
                .filter(name -> name.startsWith(NETTY) && name.endsWith(".class"))
                .toList();
        assertThat(names).isNotEmpty();
        for (String name : names) {
            String className = below + name.substring(0, name.length() - ".class".length());
            // HotSpot links a class before it tells its methods
            assertThat(loadClass(className.replace('/', '.')).getDeclaredMethods())
                    .isNotNull();
        }
    }

    /**
     * What the loaded classes' methods call of {@link Sockets}, each once, by class, without Netty's first packages,
     * and method.
     */
    Map<String, String> calls() {
        return calls;
    }

    /** Has it log as the JDK does. */
    void quiet() throws ReflectiveOperationException {
        String logging = (below + NETTY).replace('/', '.') + "util.internal.logging.";
        loadClass(logging + "InternalLoggerFactory")
                .getMethod("setDefaultFactory", loadClass(logging + "InternalLoggerFactory"))
                .invoke(
                        null,
                        loadClass(logging + "JdkLoggerFactory")
                                .getField("INSTANCE")
                                .get(null));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && name.startsWith((below + NETTY).replace('/', '.'))) {
                loaded = define(name);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String className = name.replace('.', '/');
        byte[] plain = original(className.substring(below.length()) + ".class");
        if (plain == null) {
            throw new ClassNotFoundException(name);
        }
        ClassWriter moved = new ClassWriter(0);
        new ClassReader(plain).accept(new ClassRemapper(new Answers(moved), new Below()), 0);
        byte[] file = moved.toByteArray();
        byte[] woven = transformer.transform(this, className, null, null, file);
        if (woven != null) {
            new ClassReader(woven).accept(new Calls(className.substring((below + NETTY).length())), 0);
        }
        return defineClass(name, woven == null ? file : woven, 0, woven == null ? file.length : woven.length);
    }

    private byte @Nullable [] original(String file) {
        try (InputStream own = transport.getJarEntry(file) == null
                ? getParent().getResourceAsStream(file)
                : transport.getInputStream(transport.getJarEntry(file))) {
            return own == null ? null : own.readAllBytes();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private final class Below extends Remapper {
        Below() {
            super(Opcodes.ASM9);
        }

        @Override
        public String map(String name) {
            return name.startsWith(NETTY) ? below + name : name;
        }
    }

    /** In the place of native code. */
    private static final class Answers extends ClassVisitor {
        Answers(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor method =
                    super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, descriptor, signature, exceptions);
            if ((access & Opcodes.ACC_NATIVE) != 0) {
                answer(method, Type.getReturnType(descriptor));
                method.visitMaxs(2, Type.getArgumentsAndReturnSizes(descriptor) >> 2);
                method.visitEnd();
            }
            return method;
        }

        private static void answer(MethodVisitor method, Type type) {
            method.visitCode();
            switch (type.getSort()) {
                case Type.VOID -> {}
                case Type.OBJECT, Type.ARRAY -> method.visitInsn(Opcodes.ACONST_NULL);
                case Type.BOOLEAN -> method.visitInsn(Opcodes.ICONST_0);
                case Type.LONG -> method.visitLdcInsn((long) ANSWER);
                default -> method.visitIntInsn(Opcodes.BIPUSH, ANSWER);
            }
            method.visitInsn(type.getOpcode(Opcodes.IRETURN));
        }
    }

    private final class Calls extends ClassVisitor {
        private final String className;

        Calls(String className) {
            super(Opcodes.ASM9);
            this.className = className.replace('/', '.');
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String its, boolean type) {
                    if (owner.equals(ClassNames.of(Sockets.class))) {
                        calls.merge(
                                className + '.' + name,
                                called + its,
                                (before, more) -> before.contains(more) ? before : before + more);
                    }
                }
            };
        }
    }
}
