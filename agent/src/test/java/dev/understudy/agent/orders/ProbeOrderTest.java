package dev.understudy.agent.orders;

import dev.understudy.agent.budget.Controller;
import dev.understudy.agent.budget.Costs;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Metering;
import dev.understudy.agent.budget.Observing;
import dev.understudy.agent.budget.Quota;
import dev.understudy.agent.budget.Stacking;
import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ProbeOrderTest {
    private final ProbeDirectory directory = new ProbeDirectory();
    private final ProbeOrder order = new ProbeOrder(
            new Governor(
                    new Controller(0.2, 0),
                    Costs.calibrated(),
                    directory::probes,
                    probe -> 0,
                    System::nanoTime,
                    () -> 0,
                    Observing.calibrated(),
                    () -> 1,
                    new Stacking(20),
                    new Metering(0),
                    new Quota(0, Duration.ZERO)),
            directory,
            new Reachability(unasked(), loaded -> true, () -> 0));

    @Test
    void methodsThatWouldBecomeTooLarge_areNamed_andThoseThatAreNotThereAreNot() {
        new Weaver(directory).weave(ProbeOrderTest.class.getClassLoader(), cart());

        assertThat(bring("com.shop.Cart#total", "com.shop.*#a*", "com.shop.Tax"))
                .isEmpty();

        assertThat(order.standing())
                .startsWith("1 armed, 0 off, com.shop.Cart#total matches com.shop.Cart#total,"
                        + " not woven since it would become too large for the JIT or the class file,")
                .endsWith(" com.shop.Tax matches none that is woven")
                .doesNotContain("#a*");
    }

    private List<String> bring(String... patterns) {
        return order.bring(Map.of(
                "rules",
                Stream.of(patterns)
                        .map(pattern -> Map.of("pattern", pattern, "stance", "armed"))
                        .toList()));
    }

    /** With a small method {@code add} and a huge one, {@code total}. */
    private static byte[] cart() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "com/shop/Cart", null, "java/lang/Object", null);
        for (String name : List.of("total", "add")) {
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, name, "()V", null, null);
            code.visitCode();
            for (int n = 0; n < (name.equals("total") ? 7_995 : 20); n++) {
                code.visitInsn(Opcodes.NOP);
            }
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static Instrumentation unasked() {
        return (Instrumentation) Proxy.newProxyInstance(
                ProbeOrderTest.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> {
                    throw new AssertionError(method);
                });
    }
}
