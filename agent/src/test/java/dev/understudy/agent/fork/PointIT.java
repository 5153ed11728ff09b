package dev.understudy.agent.fork;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Log points and snapshots in a running application. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class PointIT {
    private static final String CART = CartServer.Cart.class.getName();
    private static final String TRACE = "0123456789abcdef0123456789abcdef";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String HEADER = "00-" + TRACE + "-" + SPAN + "-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aLogPoint_tellsWhatItsMessageAsks_whenItsConditionHolds_inTheExchange_untilItIsTakenBack(Path java)
            throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar)) {
            assertThat(jvm.get("/3", "")).isEqualTo("total 54");
            assertALogPointTells(jvm, sidecar);
        }
    }

    /** Orders a log point of {@link CartServer} with a condition, and takes it back. */
    static void assertALogPointTells(ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        order(
                sidecar,
                point("p1", "#total", "exit", "total of {this.id} with {coupon} is {return}")
                        + ",\"when\":\"this.items.size > 3 && coupon != null && coupon.code.startsWith('A')\""
                        + ",\"rate\":100,\"quota\":1000}");
        assertThat(sidecar.reportOfFollower()).contains("\"points\":\"1 point\"", "\"problems\":[]");
        for (String path : List.of("/3/A", "/5", "/4/BC")) {
            assertThat(jvm.get(path, HEADER)).startsWith("total ");
        }
        String told = sidecar.hitsWith("\"text\":", () -> jvm.get("/4/AC", HEADER));
        assertThat(told)
                .contains(
                        "\"text\":\"total of 104 with CartServer$Coupon{code=\\\"AC\\\", secretKey=[masked]} is 36\"",
                        "\"trace\":\"" + TRACE + "\",\"span\":\"" + SPAN + "\"",
                        "\"place\":\"" + CART + "#total(CartServer$Coupon,double,long) exit\"")
                .doesNotContain("of 103", "of 105", "code=\\\"BC")
                .contains("\"limited\":0,\"undecided\":0");

        sidecar.order("{}");
        assertThat(sidecar.reportOfFollower()).contains("\"points\":\"0 points\"");
        sidecar.hitsWith("\"points\":[],", () -> jvm.get("/4/AC", HEADER));
    }

    @Test
    void places_areTheEntry_aLine_andWhatIsThrown_alsoInAClassThatIsLoadedLater() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar)) {
            String late = CartServer.Late.class.getName();
            order(
                    sidecar,
                    point("entry", "#total(CartServer$Coupon,double,long)", "entry", "{factor} {arg2} {coupon}")
                            + ",\"rate\":100,\"quota\":1000}",
                    point("line", "#total", "line:" + line(), "{item} costs {each * price} of {sum}")
                            + ",\"when\":\"item == 'item 1'\",\"rate\":100,\"quota\":1000}",
                    point("throw", "#total", "throw", "{exception.message}, {factor}")
                            + ",\"rate\":100,\"quota\":1000}",
                    point("late", "#word", "exit", "{this.number} {when} {return}")
                                    .replace(CART, late) + ",\"rate\":100,\"quota\":1000}");
            assertThat(sidecar.reportOfFollower())
                    .contains("4 points", "late isn't woven: " + late + " isn't loaded", "\"problems\":[]");
            assertThat(jvm.get("/2", "")).isEqualTo("total 36");
            assertThat(sidecar.hitsWith("item 1 costs 18 of 18", () -> jvm.get("/2", "")))
                    .doesNotContain("item 0 costs");
            sidecar.hitsWith("\"text\":\"0.5 3 null\"", () -> jvm.get("/2", ""));
            assertThat(jvm.get("/10", "")).isEqualTo("refused");
            sidecar.hitsWith("\"text\":\"too many: 10, 0.5\"", () -> jvm.get("/10", ""));
            assertThat(jvm.get("/late", "")).isEqualTo("7in time");
            sidecar.hitsWith("\"text\":\"7 in time 7in time\"", () -> jvm.get("/late", ""));
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aSnapshot_hasArguments_fields_locals_andTheStack(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar)) {
            assertASnapshotTells(jvm, sidecar);
        }
    }

    /** Orders snapshots of {@link CartServer}, one with a condition and then one with other names to mask. */
    static void assertASnapshotTells(ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        order(
                sidecar,
                point("s1", "#total", "line:" + line(), null)
                        + ",\"when\":\"item == 'item 1' && sum == each * price && "
                        + "coupon.code.startsWith('X')\",\"rate\":100,\"quota\":1}");
        sidecar.reportOfFollower();
        assertThat(jvm.get("/3/AB", HEADER)).isEqualTo("total 27");
        assertThat(jvm.get("/3/XY", HEADER)).isEqualTo("total 27");
        assertThat(sidecar.hitsWith("\"values\":", () -> jvm.get("/3/XY", HEADER)))
                .contains(
                        "\"this\":\"CartServer$Cart{id=103, items=[\\\"item 0\\\", \\\"item 1\\\", \\\"item 2\\\"]}\"",
                        "\"coupon\":\"CartServer$Coupon{code=\\\"XY\\\", secretKey=[masked]}\"",
                        "\"factor\":\"0.5\"",
                        "\"each\":\"3\"",
                        "\"sum\":\"18\"",
                        "\"item\":\"item 1\"",
                        "\"price\":\"6\"",
                        "\"stack\":[\"dev.understudy.agent.fork.CartServer$Cart.total(CartServer.java:",
                        "\"span\":\"" + SPAN + "\"")
                .as("its quota")
                .containsOnlyOnce("\"stack\"");

        sidecar.order("{\"points\":{\"points\":[" + point("s2", "#total", "line:" + line(), null)
                + ",\"rate\":100,\"quota\":100}]},\"redact\":{\"names\":[\"price\",\"code\"]}}");
        assertThat(sidecar.reportOfFollower()).contains("\"redact\":\"2 names\"", "\"problems\":[]");
        assertThat(sidecar.hitsWith("\"price\":", () -> jvm.get("/3/XY", HEADER)))
                .contains(
                        "\"price\":\"[masked]\"",
                        "\"coupon\":\"CartServer$Coupon{code=[masked], secretKey=[masked]}\"",
                        "\"each\":\"3\"")
                .doesNotContain("XY");
    }

    @Test
    void whatIsNoExpression_orNamesWhatIsNotThere_isAProblem_andAConditionWithoutAnAnswerIsCounted() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar)) {
            assertThat(jvm.get("/3", "")).isEqualTo("total 54");
            String limits = ",\"rate\":100,\"quota\":1000}";
            order(
                    sidecar,
                    point("a", "#total", "exit", "x") + ",\"when\":\"coupon != null &&\"" + limits,
                    point("b", "#total", "exit", "{coupons}") + limits,
                    point("c", "#totals", "exit", "x") + limits,
                    point("d", "#total", "line:1", "x") + limits,
                    point("e", "#total", "exit", "x") + ",\"when\":\"coupon.code > 3\"" + limits,
                    point("f", "#total", "exit", "{1 + }") + limits);
            assertThat(sidecar.reportOfFollower())
                    .contains(
                            "points: a: when: column 18: the end (expected: a value)",
                            "points: b: coupons isn't known at the exit of "
                                    + "total(CartServer$Coupon,double,long) (expected: one of"
                                    + " [return, this, coupon, factor, each, ",
                            "points: c: there is no method totals (expected: one of [<init>, total])",
                            "points: d: total(CartServer$Coupon,double,long) has no code at line 1",
                            "points: f: message: column 6: } (expected: a value)");
            assertThat(jvm.get("/3/A", "")).isEqualTo("total 27");
            assertThat(sidecar.hitsWith("a text can't be compared with a number", () -> jvm.get("/3/A", "")))
                    .containsPattern("\"told\":0,\"limited\":0,\"undecided\":[1-9].*\"hits\":\\[\\]");
        }
    }

    @Test
    void aWatchedField_tellsWhoWritesIt_whenItsConditionHolds_alsoInLoadedClasses() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar)) {
            assertThat(jvm.get("/3", "")).isEqualTo("total 54");
            String limits = ",\"rate\":100,\"quota\":1000}";
            order(
                    sidecar,
                    point("w1", "#id", "writes", null) + ",\"when\":\"value > 103 && old == 0 && this.items.size == 0\""
                            + limits,
                    point("w2", "#ids", "reads", null) + limits,
                    point("w3", "#id", "reads", null) + ",\"when\":\"old == 0\"" + limits);
            assertThat(sidecar.reportOfFollower())
                    .contains(
                            "points: w2: there is no field ids (expected: one of [id, items])",
                            "points: w3: when: old isn't known of a field that is watched "
                                    + "(expected: one of [value, this])");
            assertThat(jvm.get("/3", HEADER)).isEqualTo("total 54");
            assertThat(sidecar.hitsWith("\"values\":", () -> jvm.get("/4", HEADER)))
                    .contains(
                            "\"point\":\"w1\",\"place\":\"" + CART + ".id is written in " + CART + "#<init>(int) line ",
                            "\"value\":\"104\"",
                            "\"old\":\"0\"",
                            "\"span\":\"" + SPAN + "\"",
                            "\"stack\":[\"dev.understudy.agent.fork.CartServer$Cart.<init>(CartServer.java:")
                    .doesNotContain("\"value\":\"103\"");
            sidecar.order("{}");
            assertThat(sidecar.reportOfFollower()).contains("\"points\":\"0 points\"");
            sidecar.hitsWith("\"points\":[],", () -> jvm.get("/4", HEADER));
        }
    }

    @Test
    void withoutABudgetNothingIsTold_andThatIsSaid_andTheQuotaHolds() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar)) {
            order(sidecar, point("p", "#total", "entry", "told") + ",\"rate\":100,\"quota\":2}");
            sidecar.reportOfFollower();
            sidecar.hitsMatching("\"told\":2,\"limited\":[1-9]\\d*,.*\"left\":0,", () -> jvm.get("/1", ""));

            order(sidecar, point("q", "#total", "entry", "told too") + ",\"rate\":100,\"quota\":100}");
            sidecar.reportOfFollower();
            sidecar.utilisation(0.99);
            sidecar.reportWith("1 point, closed while the budget is 0");
            sidecar.hitsMatching("\"skipped\":[1-9]\\d*,.*\"hits\":\\[\\]", () -> jvm.get("/1", ""));
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar) throws IOException {
        return ForkedJvm.start(
                java, "=debug=true,sidecar=" + sidecar.url(), List.of(), List.of(CartServer.class.getName()));
    }

    private static void order(FakeSidecar sidecar, String... points) {
        sidecar.order("{\"points\":{\"points\":[" + String.join(",", points) + "]}}");
    }

    /** All but the condition, the limits and the end. */
    private static String point(String id, String method, String at, @Nullable String message) {
        return "{\"id\":\"" + id + "\",\"method\":\"" + CART + method + "\",\"at\":\"" + at + "\""
                + (message == null ? "" : ",\"message\":\"" + message + "\"");
    }

    /** The line in which {@code price} is known: that after its own. */
    private static int line() throws IOException {
        int[] line = new int[1];
        try (InputStream in = Objects.requireNonNull(
                PointIT.class.getClassLoader().getResourceAsStream(CART.replace('.', '/') + ".class"))) {
            ClassVisitor lines = new ClassVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable MethodVisitor visitMethod(
                        int access,
                        String name,
                        String descriptor,
                        @Nullable String signature,
                        String @Nullable [] thrown) {
                    return !name.equals("total")
                            ? null
                            : new MethodVisitor(Opcodes.ASM9) {
                                private int last;

                                @Override
                                public void visitLineNumber(int number, Label label) {
                                    last = number;
                                }

                                @Override
                                public void visitInsn(int opcode) {
                                    line[0] = opcode == Opcodes.LMUL ? last : line[0];
                                }
                            };
                }
            };
            new ClassReader(in.readAllBytes()).accept(lines, 0);
        }
        return line[0];
    }
}
