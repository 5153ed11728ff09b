package dev.understudy.agent.request;

import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.BracketVisitor;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Weaves the known servers' entry points, and the JDK's sockets, as their classes are loaded; safe for any threads. */
public final class ServerTransformer implements ClassFileTransformer {
    private final BiConsumer<String, Throwable> failures;

    /** A transformer for all known servers; failures are told by class name and leave the class as it was. */
    public ServerTransformer(BiConsumer<String, Throwable> failures) {
        this.failures = failures;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Map<String, Bracket> wanted = name == null ? Map.of() : brackets(name);
        if (wanted.isEmpty()) {
            return null;
        }
        try {
            return weave(wanted, classFile);
        } catch (Throwable problem) {
            failures.accept(String.valueOf(name).replace('/', '.'), problem);
            return null;
        }
    }

    /** Whether the class, named with dots, has an entry point. */
    public boolean knows(String name) {
        return !brackets(name.replace('.', '/')).isEmpty();
    }

    private static Map<String, Bracket> brackets(String name) {
        Map<String, Bracket> ofSockets = SocketBracket.of(name);
        List<ServerEntry> entries = ServerEntry.of(name);
        if (entries.isEmpty()) {
            return ofSockets;
        }
        Map<String, Bracket> brackets = new HashMap<>(ofSockets);
        for (ServerEntry entry : entries) {
            brackets.put(entry.method + entry.descriptor, new ExchangeBracket(entry));
        }
        return brackets;
    }

    private static byte[] weave(Map<String, Bracket> wanted, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        Map<String, Integer> locals = locals(reader);
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor weaver = new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                Integer slots = locals.get(name + descriptor);
                Bracket bracket = wanted.get(name + descriptor);
                if (slots != null && bracket != null) {
                    return new BracketVisitor(next, bracket, slots, true);
                }
                return next;
            }
        };
        reader.accept(weaver, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    private static Map<String, Integer> locals(ClassReader reader) {
        Map<String, Integer> locals = new HashMap<>();
        ClassVisitor sizes = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMaxs(int maxStack, int maxLocals) {
                        locals.put(name + descriptor, maxLocals);
                    }
                };
            }
        };
        reader.accept(sizes, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return locals;
    }
}
