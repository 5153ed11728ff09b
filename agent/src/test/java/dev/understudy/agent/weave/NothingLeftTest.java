package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.lock.LockSites;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the JIT has to be able to take away behind a closed gate. */
final class NothingLeftTest {
    private static final String FORCED = "Ljdk/internal/vm/annotation/ForceInline;";

    private final BranchDirectory numbers = new BranchDirectory();
    private final Weaver weaver = new Weaver(
            new ProbeDirectory(), WovenCache.none(), false, new SecondLevel(numbers), new LockSites(numbers));

    @Test
    void whatIsGivenATokenThatMayBeNull_isCopiedIntoItsCallers() {
        Set<String> called = new TreeSet<>();
        Set<String> forced = new TreeSet<>();
        for (Class<?> some : List.of(Shapes.class, Sums.class, Bank.class, Makers.class)) {
            byte[] woven = weaver.weave(new WovenLoader(name -> false), WovenLoader.classFile(some.getName()));
            read(Objects.requireNonNull(woven), called, new TreeSet<>());
        }
        read(WovenLoader.classFile(Probes.class.getName()), new TreeSet<>(), forced);
        read(WovenLoader.classFile(Locks.class.getName()), new TreeSet<>(), forced);

        assertThat(called)
                .contains("exit(Ljava/lang/Object;)V", "thrown(Ljava/lang/Throwable;Ljava/lang/Object;)V")
                .contains(
                        "calling(Ljava/lang/Object;Ljava/lang/String;)V",
                        "leaving(Ljava/lang/Object;Ljava/lang/Object;)V");
        assertThat(forced).containsAll(called);
    }

    /**
     * The calls with a token that are in a class file, and its methods that are copied into callers whatever their
     * size.
     */
    private static void read(byte[] classFile, Set<String> calls, Set<String> forced) {
        ClassVisitor reader = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String method,
                    String itsDescriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                        if (annotation.equals(FORCED)) {
                            forced.add(method + itsDescriptor);
                        }
                        return null;
                    }

                    @Override
                    public void visitMethodInsn(
                            int opcode, String owner, String name, String descriptor, boolean ofInterface) {
                        boolean ours = owner.equals(Type.getInternalName(Probes.class))
                                || owner.equals(Type.getInternalName(Locks.class));
                        boolean asksForItself = name.equals("unlocking");
                        if (ours && descriptor.contains("Ljava/lang/Object;") && !asksForItself) {
                            calls.add(name + descriptor);
                        }
                    }
                };
            }
        };
        new ClassReader(classFile).accept(reader, 0);
    }
}
