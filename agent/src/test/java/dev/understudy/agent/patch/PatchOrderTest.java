package dev.understudy.agent.patch;

import dev.understudy.agent.weave.WovenLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PatchOrderTest {
    private final byte[] jar = jar();
    private final PatchOrder order = new PatchOrder(takesAll(), new PatchTransformer(), (path, most) -> jar);

    PatchOrderTest() throws IOException {}

    @Test
    void anOrderWithoutAnId_isRefused_andWhatIsInForceStays() throws Exception {
        assertThat(order.bring(Map.of("classes", List.of("Cart"))))
                .containsExactly("it has no id; nothing was changed (expected: the first half of the jar's SHA-256,"
                        + " 32 hexadecimal digits)");
        assertThat(order.standing()).isEqualTo("none");
        String id = PatchOrder.id(jar);
        assertThat(order.bring(Map.of("id", id))).isEmpty();
        for (Object odd : List.of("", 7, true, List.of(id), "../window", id + "0", "f".repeat(9999))) {
            assertThat(order.bring(Map.of("id", odd)))
                    .singleElement()
                    .asString()
                    .startsWith("no patch's id: ")
                    .hasSizeLessThan(250);
        }
        assertThat(order.inForce()).isEqualTo(id);
        assertThat(order.standing()).startsWith(id + ": 1 classes changed");

        assertThat(order.bring(Map.of())).isEmpty();
        assertThat(order.inForce()).isEmpty();
    }

    private static byte[] jar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry(Cart.class.getName().replace('.', '/') + ".class"));
            out.write(WovenLoader.classFile(Cart.class.getName()));
        }
        return bytes.toByteArray();
    }

    /** A JVM with one class, which takes whatever it is given. */
    private static Instrumentation takesAll() {
        return (Instrumentation) Proxy.newProxyInstance(
                PatchOrderTest.class.getClassLoader(), new Class<?>[] {Instrumentation.class}, (jvm, method, said) -> {
                    if (method.getName().equals("getAllLoadedClasses")) {
                        return new Class<?>[] {Cart.class};
                    }
                    return method.getName().equals("isModifiableClass") ? true : null;
                });
    }

    /** Is patched. */
    static final class Cart {}
}
