package dev.understudy.agent.point;

import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WeavingTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** In a JVM that has loaded nothing of the application. */
final class PointOrderTest {
    private boolean closed;
    private final ProbeDirectory directory = new ProbeDirectory();
    private final PointOrder order = new PointOrder(
            (Instrumentation) Proxy.newProxyInstance(
                    Instrumentation.class.getClassLoader(),
                    new Class<?>[] {Instrumentation.class},
                    (proxy, method, its) -> {
                        assertThat(method.getName()).isEqualTo("getAllLoadedClasses");
                        return new Class<?>[0];
                    }),
            new PointTransformer(new WeavingTransformer(
                    ApplicationCode.inPackages(List.of("com.shop")),
                    new Weaver(new ProbeDirectory()),
                    new Reach(loader -> {}),
                    (name, problem) -> {})),
            directory,
            new Secrets(List.of()),
            () -> closed);

    @Test
    void aHundredAreInForceAtMost_andTheOthersAreTold() {
        assertThat(bring(102))
                .containsExactly("p101: too many (expected: at most 100)", "p102: too many (expected: at most 100)");
        assertThat(order.live()).hasSize(100);

        assertThat(bring(100)).isEmpty();
    }

    @Test
    void onePointThatIsWrong_leavesTheOthers() {
        assertThat(order.bring(Map.of("points", List.of(point(1), Map.of("id", "p2"), "nonsense"))))
                .hasSize(2)
                .allMatch(problem -> problem.startsWith("p2: ") || problem.startsWith("null: "));

        assertThat(order.live())
                .singleElement()
                .satisfies(one -> assertThat(one.wanted.id).isEqualTo("p1"));
    }

    @Test
    void whatIsOrderedOn_staysAsItWas_andTheRestGoes() {
        bring(2);
        List<LivePoint> before = order.live();
        bring(1);
        assertThat(order.live()).containsExactly(before.get(0));
        bring(2);
        assertThat(order.live()).startsWith(before.get(0)).doesNotContain(before.get(1));

        assertThat(order.bring(Map.of())).isEmpty();
        assertThat(order.live()).isEmpty();
    }

    @Test
    void whereNothingIsWoven_thatIsSaid_andWhetherTheBudgetAllowsIt() {
        bring(1);
        assertThat(order.standing()).isEqualTo("1 point, p1 isn't woven: com.shop.Cart isn't loaded");
        closed = true;
        assertThat(order.standing()).endsWith("loaded, closed while the budget is 0");
    }

    @Test
    void spacesBetweenParameters_areLeftOut_andThoseOfANameAreKept() {
        order.bring(Map.of(
                "points",
                List.of(
                        point(1, "com.shop.Cart#total (int, String)"),
                        point(2, "com.shop.Cart#what the clerk says"),
                        point(3, "com.shop.Cart#what the clerk says(int, String)"))));
        assertThat(order.live())
                .extracting(one -> one.wanted.method)
                .containsExactly("total(int,String)", "what the clerk says", "what the clerk says(int,String)");
    }

    @Test
    void aPatternThatMeansTooManyMethods_isRefused_andOneThatMeansNoneSaysSo() {
        new Weaver(directory).weave(PointOrderTest.class.getClassLoader(), withMethods(101));
        assertThat(order.bring(Map.of("points", List.of(point(1, "com.shop.*"), point(2, "com.shop.*#m100")))))
                .containsExactly("p1: method: com.shop.* means 101 methods (expected: at most 100)");
        assertThat(order.live()).hasSize(1);
        order.bring(Map.of("points", List.of(point(3, "com.shop.*Tax#of"), point(4, "@jakarta.ws.rs.GET"))));
        assertThat(order.standing())
                .isEqualTo("2 points, p3 isn't woven: com.shop.*Tax#of matches none that is woven,"
                        + " p4 isn't woven: @jakarta.ws.rs.GET matches none that is woven");
    }

    private static byte[] withMethods(int count) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "com/shop/Cart", null, "java/lang/Object", null);
        for (int method = 0; method < count; method++) {
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "m" + method, "()V", null, null);
            code.visitCode();
            for (int n = 0; n < 9; n++) {
                code.visitInsn(Opcodes.NOP);
            }
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    private List<String> bring(int points) {
        return order.bring(Map.of(
                "points",
                IntStream.rangeClosed(1, points).mapToObj(PointOrderTest::point).toList()));
    }

    private static Map<String, Object> point(int number) {
        return point(number, "com.shop.Cart#total");
    }

    private static Map<String, Object> point(int number, String method) {
        return Map.of("id", "p" + number, "method", method, "at", "entry", "rate", 10, "quota", 1_000);
    }
}
