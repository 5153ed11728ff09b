package dev.understudy.agent.carry;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PoolPointTest {
    @Test
    void aPoolUnderAnotherPackage_isKnownWithItsTypes() {
        assertThat(PoolPoint.of("acme/io/netty/util/concurrent/AbstractScheduledEventExecutor"))
                .containsOnlyKeys("scheduleFromEventLoop(Lacme/io/netty/util/concurrent/ScheduledFutureTask;)V");
        assertThat(PoolPoint.of("org/jboss/threads/EnhancedQueueExecutor"))
                .containsKey("tryExecute(Lorg/jboss/threads/EnhancedQueueExecutor$Task;)I");
    }

    @Test
    void gRPCsServer_hasWhatIsChangedThere() throws Exception {
        for (String name : CallBracket.all().keySet()) {
            assertThat(PoolPoint.of(name)).isNotEmpty();
            assertThat(missing(name, PoolPoint.of(name).keySet())).as(name).isEmpty();
        }
    }

    /** Those of the methods that a class, named with slashes, lacks. */
    static Set<String> missing(String name, Set<String> methods) throws IOException {
        Set<String> left = new HashSet<>(methods);
        try (InputStream file =
                Objects.requireNonNull(PoolPointTest.class.getClassLoader().getResourceAsStream(name + ".class"))) {
            new ClassReader(file.readAllBytes()).accept(crossingOff(left), 0);
        }
        return left;
    }

    private static ClassVisitor crossingOff(Set<String> methods) {
        return new ClassVisitor(Opcodes.ASM9) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                methods.remove(name);
                methods.remove(name + descriptor);
                return null;
            }
        };
    }

    @Test
    void aClassWhoseNameOnlyEndsLikeThat_isNone() {
        assertThat(PoolPoint.of("acmeio/netty/util/concurrent/AbstractEventExecutor"))
                .isEmpty();
    }
}
